#!/bin/sh
# Installs memdesk for the user who runs this, without root: ./install.sh   (./install.sh --remove takes it away again)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
target=$HOME/.local/opt/memdesk
files="$HOME/.local/bin/memdesk $share/applications/memdesk.desktop $share/icons/hicolor/256x256/apps/memdesk.png
$share/mime/packages/memdesk.xml ${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/memdesk.service"

@CLOSE@
refresh() {
  for command in "update-desktop-database $share/applications" "update-mime-database $share/mime"; do
    if command -v "${command%% *}" >/dev/null; then $command 2>/dev/null || true; fi
  done
}

if [ "${1:-}" = --remove ]; then
  close "$target/memdesk"
  rm -rf "$target"
  rm -f $files
  refresh
  echo "memdesk is removed. Your memory stays in $share/memdesk."
  exit 0
fi

have=$(cat "$target/VERSION" 2>/dev/null || true)
if [ -n "$have" ] && [ "$have" != "@VERSION@" ] && [ "$(printf '%s\n@VERSION@\n' "$have" | sort -V | tail -n 1)" = "$have" ]; then
  echo "memdesk $have is installed, and this is the older @VERSION@, which may not read its memory." >&2
  echo "To go back all the same: make a backup, run $here/install.sh --remove, then this again." >&2
  exit 1
fi
# A folder of its own, moved into place: nothing of an older version is left among the new files.
rm -rf "$target.new"
mkdir -p "$target.new"
cp -R "$here/memdesk/." "$target.new/"
close "$target/memdesk"
rm -rf "$target"
mv "$target.new" "$target"
for file in $files; do mkdir -p "$(dirname "$file")"; done
set -- $files
ln -sf "$target/memdesk" "$1"
sed "s|^Exec=memdesk|Exec=$1|" "$here/memdesk.desktop" >"$2"
cp "$here/memdesk.png" "$3"
cp "$here/memdesk.xml" "$4"
sed "s|exec memdesk|exec $1|" "$here/memdesk.service" >"$5"
refresh
echo "memdesk @VERSION@ is installed. Start it from your desktop's menu, or with: $1"
