# Asks the memdesk that runs from the file $1 to end, which keeps everything, and waits. A program whose files are
# replaced under it would load parts of another version. 1 when it would not end.
close() {
  program=$(readlink -f "$1") || return 0
  seconds=0
  while :; do
    running=""
    for exe in /proc/[0-9]*/exe; do
      if [ "$(readlink "$exe" 2>/dev/null)" = "$program" ]; then running="$running ${exe%/exe}"; fi
    done
    if [ -z "$running" ]; then return 0; fi
    if [ "$seconds" = 0 ]; then
      echo "memdesk is running: it is closed now, and nothing is lost."
      for process in $running; do
        # Its engines end with it.
        if ! grep -qs -- --engine-worker "$process/cmdline"; then kill "${process#/proc/}" 2>/dev/null || true; fi
      done
    elif [ "$seconds" = 60 ]; then
      echo "memdesk is still running after a minute. Quit it, then try again." >&2
      return 1
    fi
    seconds=$((seconds + 1))
    sleep 1
  done
}
