/**
 * Examples on the description's first page, as a person would type them. `$ADDRESS` is the platform's address, `$TOKEN`
 * an access token. A test runs all of them, in this order and unchanged.
 */

type Example = { title: string; text: string; command: string };

export const examples: Example[] = [
  {
    title: "Sign in by token",
    text: "Make an access token on your profile, with only the privileges that the task needs, and send it with each call. The header `RateLimit` of an answer says how many calls are left and for how many seconds; too many calls are answered 429 with `Retry-After`.",
    command: `export ADDRESS="https://platform.example" TOKEN="sct_..."
curl --fail --silent --header "Authorization: Bearer $TOKEN" "$ADDRESS/api/v1/privilege"`,
  },
  {
    title: "Page through a list",
    text: "A list is complete unless `limit` asks for pages; the `Link` header names the next page. With `ETag` and `If-None-Match`, an answer that has not changed is not sent again (304). A change with `If-Match` is refused (412) if somebody else has changed the record since you read it.",
    command: `curl --fail --silent --dump-header - --header "Authorization: Bearer $TOKEN" "$ADDRESS/api/v1/facility?limit=100"`,
  },
  {
    title: "First and daily sync",
    text: "Run this once for the first copy, and then every day: it continues from the saved `cursor`. Each page is saved before its `cursor`, so the next run continues after a failure. Store each `record` under its `kind` and `key`; a page that was saved twice does no harm then. An answer of 410 says that the database was restored from a backup: remove `cursor` and `changes.ndjson`, and begin again.",
    command: `FAILED=0
while :; do
  CURSOR=$(cat cursor 2>/dev/null || true)
  curl --fail --silent --show-error --retry 3 --output page.json --header "Authorization: Bearer $TOKEN" \\
    "$ADDRESS/api/v1/changes?limit=1000\${CURSOR:+&since=$CURSOR}" || { FAILED=1; break; }
  sed -n 's/.*"cursor":"\\([^"]*\\)".*/\\1/p' page.json > cursor.next
  test -s cursor.next || { FAILED=1; break; }
  { echo && cat page.json; } >> changes.ndjson
  mv cursor.next cursor
  grep -q '"hasMore":true' page.json || break
done
test "$FAILED" = 0 || { echo "The copy is not complete. Run this again: it goes on from where it stopped." >&2; exit 1; }`,
  },
  {
    title: "Stay in step",
    text: "This script keeps running, a second or two behind: with `wait=30` the answer comes with the next change, or is empty after 30 seconds. It tries again after a lost connection or while the server is busy or down; a refusal ends it.",
    command: `test -s cursor || { echo "There is no cursor: do the first sync." >&2; exit 1; }
while :; do
  STATUS=$(curl --silent --max-time 60 --output page.json --write-out "%{http_code}" --header "Authorization: Bearer $TOKEN" \\
    "$ADDRESS/api/v1/changes?limit=1000&wait=30&since=$(cat cursor)") || STATUS=none
  case "$STATUS" in
    200) sed -n 's/.*"cursor":"\\([^"]*\\)".*/\\1/p' page.json > cursor.next ;;
    401 | 403 | 410 | 422) echo "The platform refuses ($STATUS), see page.json." >&2; exit 1 ;;
    *) sleep 10; continue ;;
  esac
  grep -q '"changes":\\[\\]' page.json || { echo && cat page.json; } >> changes.ndjson
  mv cursor.next cursor
done`,
  },
  {
    title: "Everything as a file",
    text: "Facilities, assessments and TDBs as CSV for a spreadsheet or as NDJSON (one JSON object per line) for a program, facilities also as GeoJSON for a map. They are streamed and take the filters of their lists.",
    command: `curl --fail --silent --header "Authorization: Bearer $TOKEN" --output facilities.csv "$ADDRESS/api/v1/facility/csv?mode=EFirst"
curl --fail --silent --header "Authorization: Bearer $TOKEN" --output assessments.ndjson "$ADDRESS/api/v1/assessment/ndjson/2025-01-01/2026-12-31"
curl --fail --silent --header "Authorization: Bearer $TOKEN" --output facilities.geojson "$ADDRESS/api/v1/facility/geojson?position=yes"`,
  },
  {
    title: "Send a transport database",
    text: "Each file succeeds or fails by itself: 200 when all were accepted, 422 with a result for each otherwise. A file that was received before counts as a success (`duplicate`), so a call can be repeated.",
    command: `curl --fail --silent --header "Authorization: Bearer $TOKEN" --form "files=@clinic.tdbx" "$ADDRESS/api/v1/tdb"`,
  },
  {
    title: "Send a large one over a poor line (tus 1.0)",
    text: "Announce the file, send it from the offset that HEAD returns (after a break: again, from there), then finish. The maintained tus clients do the first two by themselves.",
    command: `SIZE=$(wc -c < large.tdbx | tr -d ' ')
UPLOAD=$(curl --fail --silent --dump-header - --request POST --header "Authorization: Bearer $TOKEN" --header "Tus-Resumable: 1.0.0" --header "Upload-Length: $SIZE" \\
  --header "Upload-Metadata: filename $(printf 'large.tdbx' | base64)" "$ADDRESS/api/v1/tdb/resumable" | tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')
OFFSET=$(curl --fail --silent --head --header "Authorization: Bearer $TOKEN" --header "Tus-Resumable: 1.0.0" "$ADDRESS$UPLOAD" | tr -d '\\r' | sed -n 's/^[Uu]pload-[Oo]ffset: //p')
tail -c +$((OFFSET + 1)) large.tdbx | curl --fail --silent --request PATCH --header "Authorization: Bearer $TOKEN" --header "Tus-Resumable: 1.0.0" \\
  --header "Upload-Offset: $OFFSET" --header "Content-Type: application/offset+octet-stream" --data-binary @- "$ADDRESS$UPLOAD"
curl --fail --silent --request POST --header "Authorization: Bearer $TOKEN" "$ADDRESS$UPLOAD/finish"`,
  },
];

/** The examples in the form that the description's page shows (Markdown). */
export const examplesText = examples
  .map(({ title, text, command }) => `### ${title}\n\n${text}\n\n\`\`\`sh\n${command}\n\`\`\``)
  .join("\n\n");
