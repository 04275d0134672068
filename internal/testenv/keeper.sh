# keeper.sh ROOT MEMORY: end the servers of a test process after its end, and remove its files.
#
# Standard input has lines "watch PID" and "forget PID". It ends when the test process ends. The
# script then continues each watched process, and sends it SIGINT, so that Postgres removes its
# shared memory. Two seconds later at the latest, the script kills each process with its process
# group and its children. Last it removes the folders ROOT and MEMORY, which may be the same.

# shellcheck disable=SC2046 # one word for each child

pids=" "
while read -r verb pid; do
  case $verb in
    watch) pids="$pids$pid " ;;
    forget) pids="${pids%% "$pid" *} ${pids#* "$pid" }" ;;
  esac
done

children() {
  ps -A -o pid= -o ppid= | awk -v parent="$1" '$2 == parent { print $1 }'
}

any_alive() {
  for pid in $pids; do
    kill -0 "$pid" && return 0
  done
  return 1
}

for pid in $pids; do
  kill -CONT "-$pid" $(children "$pid")
  kill -INT "$pid"
done

tries=0
while any_alive && [ $tries -lt 20 ]; do
  sleep 0.1
  tries=$((tries + 1))
done

for pid in $pids; do
  kill -STOP "-$pid"
  kill -KILL "-$pid" $(children "$pid")
done

tries=0
while ! rm -rf "$1" "$2" && [ $tries -lt 20 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
