#!/bin/sh
# Replaces curl while the commands of the documents run: makes the same call, and logs its answer. A refusal ends the page
# at once, because a loop would wait for ever, unless the block expects refusals (DOCS_REFUSED).
# DOCS_CURL is the real curl, DOCS_SHELL the page's shell, DOCS_LOG the log, DOCS_ANSWERS a folder for the bodies.
body=$(mktemp "$DOCS_ANSWERS/XXXXXXXX")
"$DOCS_CURL" "$@" -w '%{stderr}@docs %{http_code} %{url_effective}\n' >"$body" 2>"$body.err"
code=$?
sed -n "s|^@docs \([0-9]*\) \(.*\)|call \1 $body \2|p" "$body.err" >>"$DOCS_LOG"
grep -v '^@docs ' "$body.err" >&2
cat "$body"
status=$(sed -n 's|^@docs \([0-9]*\) .*|\1|p' "$body.err")
case ${DOCS_REFUSED-}$status in
  2?? | 3?? | yes*) ;;
  *) kill -TERM "$DOCS_SHELL" ;;
esac
exit $code
