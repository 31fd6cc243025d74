#include "trace/trace-hw_misc_vmali.h"
