# shellcheck shell=sh
# Finds a Java installation; sourced by bin/heddle and by the build's mvnw.
#
#   find_jdk MINIMUM [TOOL]
#
# sets JDK_HOME and JDK_VERSION (the feature release, such as 25) to the best installation whose version is at least
# MINIMUM and which has bin/java and bin/TOOL (the build needs javac), or returns 1 and leaves both empty.
#
# JAVA_HOME wins when it is good enough. Otherwise the newest of: java on PATH, the folders in which Linux
# distributions and vendors install, SDKMAN's, and what macOS's java_home lists. FIND_JDK_ROOT is put before the
# absolute folders; the tests use it.

find_jdk() {
  JDK_HOME='' JDK_VERSION=''
  _jdk_minimum=$1 _jdk_tool=${2:-java}
  if [ -n "${JAVA_HOME:-}" ] && _jdk_consider "$JAVA_HOME"; then
    return 0
  fi
  _jdk_on_path
  _jdk_root=${FIND_JDK_ROOT:-}
  for _jdk_dir in "$_jdk_root"/usr/lib/jvm/* "$_jdk_root"/usr/lib64/jvm/* "$_jdk_root"/usr/java/* \
    "$_jdk_root"/usr/local/java/* "$_jdk_root"/usr/local/*jdk* "$_jdk_root"/opt/*jdk* "$_jdk_root"/opt/java/* \
    "$_jdk_root"/opt/jvm/* "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/* \
    "${HOME:-}"/.jdks/* "$_jdk_root"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    _jdk_consider "$_jdk_dir" || :
  done
  if [ -z "$_jdk_root" ] && [ -x /usr/libexec/java_home ]; then
    _jdk_dir=$(/usr/libexec/java_home -v "$_jdk_minimum+" 2>/dev/null) && _jdk_consider "$_jdk_dir" || :
  fi
  [ -n "$JDK_HOME" ]
}

# Takes the folder $1 if it is good enough and newer than the best so far; otherwise returns 1.
_jdk_consider() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/$_jdk_tool" ] || return 1
  _jdk_version=$(_jdk_version_of "$1") || return 1
  [ "$_jdk_version" -ge "$_jdk_minimum" ] && [ "$_jdk_version" -gt "${JDK_VERSION:-0}" ] || return 1
  JDK_HOME=$1 JDK_VERSION=$_jdk_version
}

# The installation behind the java on PATH. macOS has a stub there, which java_home looks behind.
_jdk_on_path() {
  _jdk_java=$(command -v java) || return 0
  while [ -h "$_jdk_java" ]; do
    _jdk_link=$(readlink "$_jdk_java")
    case $_jdk_link in
      /*) _jdk_java=$_jdk_link ;;
      *) _jdk_java=$(dirname "$_jdk_java")/$_jdk_link ;;
    esac
  done
  _jdk_dir=$(cd "$(dirname "$_jdk_java")/.." 2>/dev/null && pwd -P) || return 0
  _jdk_consider "$_jdk_dir" || :
}

# Prints the feature release of the installation in $1: from its "release" file, which costs no JVM, or by asking it.
_jdk_version_of() {
  _jdk_text=''
  if [ -r "$1/release" ]; then
    while IFS= read -r _jdk_line || [ -n "$_jdk_line" ]; do
      case $_jdk_line in
        JAVA_VERSION=*) _jdk_text=${_jdk_line#JAVA_VERSION=} ;;
      esac
    done <"$1/release"
  fi
  if [ -z "$_jdk_text" ]; then
    _jdk_text=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version \("[^"]*"\).*/\1/p' | head -n 1)
  fi
  _jdk_text=${_jdk_text#\"}
  _jdk_text=${_jdk_text%%[!0-9]*}
  [ -n "$_jdk_text" ] && printf '%s\n' "$_jdk_text"
}
