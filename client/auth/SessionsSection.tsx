import { Card } from "@blueprintjs/core";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query SessionsSectionQuery {
    viewer { user { id } sessions { current address startDate startTime lastSeenDate lastSeenTime } }
  }
`);

const endMutation = graphql(`
  mutation SessionsSection_end { endOwnSessions { ended errors { path message } } }
`);

/** Where the person is signed in, and a button that ends the other sessions. */
export function SessionsSection() {
  const answer = useScreenQuery(query, {});
  const [isEnding, setEnding] = useState(false);

  const end = async () => {
    setEnding(true);
    const { data, failure } = await mutate(endMutation, {});
    setEnding(false);
    const ended = data?.endOwnSessions.ended;
    if (ended == null) showError(failure ?? "Your other sessions could not be ended");
    else {
      showSuccess(`${counted(ended, "other session")} ended`);
      answer.reload();
    }
  };

  return (
    <Card className="stack" aria-labelledby="sessions-heading" role="region">
      <h2 id="sessions-heading">Sessions</h2>
      <QueryState query={answer} what="list of sessions">
        {({ viewer }) => {
          const sessions = viewer?.sessions ?? [];
          return (
            <div className="stack">
              <ul className="stack plain">
                {sessions.map((one, index) => (
                  // eslint-disable-next-line react/no-array-index-key -- a session has no key, and the list is always fetched as a whole
                  <li className="stack is-close" key={index}>
                    <span>{one.current ? "This session" : `From ${one.address ?? "an unknown address"}`}</span>
                    <span className="note">
                      since {formatDate(one.startDate)}, {one.startTime}; last used {formatDate(one.lastSeenDate)},{" "}
                      {one.lastSeenTime}
                    </span>
                  </li>
                ))}
              </ul>
              <div>
                <BusyButton
                  disabled={sessions.length < 2}
                  isBusy={isEnding}
                  onClick={() => void end()}
                  text="End other sessions"
                />
              </div>
            </div>
          );
        }}
      </QueryState>
    </Card>
  );
}
