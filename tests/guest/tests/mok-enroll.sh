# SPDX-License-Identifier: GPL-2.0 or MIT
# The owner of the machine enrolls a key: the certificate /mok.der becomes the list of keys that shim hands to the
# kernel. The next start with the same variables of UEFI has it. Until then, the kernel refuses /panthor.ko, which that
# key has signed.
# kernel: module.sig_enforce=1
. /tests/lib.sh

VARIABLES=/sys/firmware/efi/efivars
LIST=MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23

bytes() {
	for _byte; do
		printf "\\$(printf %o "0x$_byte")"
	done
}

# A number of 32 bits, little endian
word() {
	bytes $(printf '%02x %02x %02x %02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24)))
}

# EFI_SIGNATURE_LIST of the UEFI specification, of the type EFI_CERT_X509_GUID, behind the attributes of the variable:
# it is kept, and the kernel can read it.
list() {
	_size=$(wc -c <"$1")
	word 7
	bytes a1 59 c0 a5 e4 94 a7 4a 87 b5 ab 15 5c 2b f0 72
	word $((_size + 16 + 28))
	word 0
	word $((_size + 16))
	bytes 50 ab 5d 60 46 e0 00 43 ab b6 3d d8 10 dd 8b 23
	cat "$1"
}

expect 1 2 'Loading of module with unavailable key is rejected'
status=0
insmod /panthor.ko || status=$?
check_eq "a module of an unknown key is refused (EKEYREJECTED)" $status 129
check "UEFI started the kernel" mount -t efivarfs efivarfs $VARIABLES
list /mok.der >/tmp/list
check "the key is enrolled" dd if=/tmp/list of=$VARIABLES/$LIST bs=64k
check_eq "the variable has it" "$(wc -c <$VARIABLES/$LIST)" "$(wc -c </tmp/list)"
