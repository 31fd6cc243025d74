# SPDX-License-Identifier: GPL-2.0 or MIT
#
# $(call needs,MODULES,DEBIAN): stops make with one sentence unless pkg-config is here and finds the modules MODULES.
# DEBIAN are the packages of Debian that have them.

PKG_CONFIG ?= pkg-config
missing = $(error $(1) (Debian: apt install $(2)))
needs = $(if $(shell command -v $(PKG_CONFIG) 2>/dev/null),,$(call missing,$(PKG_CONFIG) is missing,pkg-config))$(if \
	$(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo 1),,$(call missing,$(PKG_CONFIG) does not find all of $(1),$(2)))
