# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Doxygen gives the comment behind a declaration of several variables to the last one only: declares each by itself.
:again
s/^( *((static|constexpr|mutable|const|inline) )*[A-Za-z0-9_:]+(<[^;=]*>)? )([A-Za-z0-9_]+(\[[^]]*\])*( = [^,{;]*|\{[^,}]*\})?), ([^;(]*;) +\/\/\/< (.*)$/\1\5;  \/\/\/< \9\
\1\8  \/\/\/< \9/M
t again
# It gives an override the comment of the base class if that has no template arguments.
s/^(class [A-Za-z]+ : public [A-Za-z:]+)<.*> \{$/\1 {/
