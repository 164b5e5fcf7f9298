#!/bin/sh
# Tests find-jdk.sh ($1) on made-up installations below the empty folder $2. Prints one line per failed case and exits
# with 1 if there was one.
set -eu

script=$1
work=$2
failures=0
cases=0
system_path=$PATH

# Makes an installation in folder $1 with version $2 in its release file, and with the programs that follow.
install_jdk() {
  folder=$1 version=$2
  shift 2
  mkdir -p "$folder/bin"
  for tool; do
    printf '#!/bin/sh\n' >"$folder/bin/$tool"
    chmod +x "$folder/bin/$tool"
  done
  printf 'IMPLEMENTOR="Nobody"\nJAVA_VERSION="%s"\n' "$version" >"$folder/release"
}

# Starts case $1 on an empty machine.
new_machine() {
  case_name=$1
  cases=$((cases + 1))
  root=$work/case-$cases
  mkdir -p "$root/home" "$root/path"
  search_path=$root/path:$root/tools
  mkdir -p "$root/tools"
  for tool in readlink dirname sed head; do
    ln -s "$(PATH=$system_path command -v "$tool")" "$root/tools/$tool"
  done
  java_home=
}

# Expects find_jdk 21 javac on this machine to give the folder $1 and version $2, or to find nothing.
expect() {
  actual=$(
    unset JAVA_HOME SDKMAN_DIR
    [ -z "$java_home" ] || JAVA_HOME=$java_home
    HOME=$root/home FIND_JDK_ROOT=$root PATH=$search_path
    . "$script"
    if find_jdk 21 javac; then
      printf '%s %s' "$JDK_HOME" "$JDK_VERSION"
    else
      printf 'nothing %s%s' "$JDK_HOME" "$JDK_VERSION"
    fi
  ) || :
  if [ "$actual" != "$1 $2" ]; then
    printf 'FAILED %s: expected "%s %s", was "%s"\n' "$case_name" "$1" "$2" "$actual"
    failures=$((failures + 1))
  fi
}

new_machine 'an empty machine has none'
expect nothing ''

new_machine 'java on PATH is found through relative and absolute links'
install_jdk "$root/anywhere/jdk" 21.0.2 java javac
mkdir "$root/links"
ln -s ../anywhere/jdk/bin/java "$root/links/java"
ln -s "$root/links/java" "$root/path/java"
expect "$root/anywhere/jdk" 21

new_machine 'a default of 17 with a 25 beside it'
install_jdk "$root/usr/lib/jvm/java-17" 17.0.15 java javac
install_jdk "$root/usr/lib/jvm/temurin-25" 25.0.1 java javac
ln -s "$root/usr/lib/jvm/java-17/bin/java" "$root/path/java"
expect "$root/usr/lib/jvm/temurin-25" 25

new_machine 'the newest of all folders wins'
install_jdk "$root/usr/lib/jvm/java-21" 21 java javac
install_jdk "$root/opt/jdk-24.0.1" 24.0.1 java javac
install_jdk "$root/usr/java/jdk-22" 22.0.2 java javac
install_jdk "$root/home/.sdkman/candidates/java/25.0.1-tem" 25.0.1 java javac
expect "$root/home/.sdkman/candidates/java/25.0.1-tem" 25

new_machine 'JAVA_HOME wins over a newer one'
install_jdk "$root/usr/lib/jvm/java-25" 25.0.1 java javac
install_jdk "$root/mine" 21.0.9 java javac
java_home=$root/mine
expect "$root/mine" 21

new_machine 'a JAVA_HOME that is too old is passed over'
install_jdk "$root/usr/lib/jvm/java-25" 25.0.1 java javac
install_jdk "$root/mine" 17.0.9 java javac
java_home=$root/mine
expect "$root/usr/lib/jvm/java-25" 25

new_machine 'a JAVA_HOME that does not exist is passed over'
install_jdk "$root/usr/lib/jvm/java-25" 25.0.1 java javac
java_home=$root/nowhere
expect "$root/usr/lib/jvm/java-25" 25

new_machine 'a runtime without the compiler is not enough'
install_jdk "$root/usr/lib/jvm/jre-25" 25.0.1 java
install_jdk "$root/usr/lib/jvm/jdk-21" 21.0.9 java javac
expect "$root/usr/lib/jvm/jdk-21" 21

new_machine 'the old numbering, 1.8, is too old'
install_jdk "$root/usr/lib/jvm/java-8" 1.8.0_402 java javac
expect nothing ''

new_machine 'an early-access version counts'
install_jdk "$root/usr/lib/jvm/java-26" 26-ea java javac
expect "$root/usr/lib/jvm/java-26" 26

new_machine 'without a release file java is asked'
install_jdk "$root/usr/lib/jvm/java-23" 0 java javac
rm "$root/usr/lib/jvm/java-23/release"
printf '#!/bin/sh\necho "openjdk version \\"23.0.2\\" 2025-01-21" >&2\n' >"$root/usr/lib/jvm/java-23/bin/java"
ln -s "$(PATH=$system_path command -v sh)" "$root/tools/sh"
expect "$root/usr/lib/jvm/java-23" 23

new_machine 'a folder with a blank in its name'
install_jdk "$root/opt/my jdk 25" 25.0.1 java javac
expect "$root/opt/my jdk 25" 25

rm -rf "$work"/case-*
printf '%s cases, %s failed\n' "$cases" "$failures"
[ "$failures" -eq 0 ]
