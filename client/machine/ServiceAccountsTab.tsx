import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { useScreenQuery } from "../urql.ts";
import { ServiceAccountForm } from "./ServiceAccountForm.tsx";
import { ServiceAccountSection } from "./ServiceAccountSection.tsx";
import { ServiceAccountsTable } from "./ServiceAccountsTable.tsx";

const query = graphql(`
  query ServiceAccountsTabQuery($offset: Int) {
    serviceAccounts(first: 10, offset: $offset) {
      totalCount
      nodes { uuid ...ServiceAccountsTable_ServiceAccount ...ServiceAccountSection_ServiceAccount }
    }
  }
`);

/** The list of service accounts, with forms to create and change them. */
export function ServiceAccountsTab() {
  const [url] = useSearchParams();
  const change = useAddress();
  const answer = useScreenQuery(query, { offset: offsetOf(url) });
  const [isMaking, setMaking] = useState(false);
  const chosen = answer.data?.serviceAccounts?.nodes.find(({ uuid }) => uuid === url.get("account"));
  const choose = (uuid: string | undefined) => change({ account: uuid });

  return (
    <section className="stack" aria-labelledby="accounts-heading">
      <h2 className="visually-hidden" id="accounts-heading">
        Service accounts
      </h2>
      {isMaking ? null : (
        <div>
          <Button icon={<AddIcon />} onClick={() => setMaking(true)} text="New service account" />
        </div>
      )}
      {isMaking ? (
        <ServiceAccountForm
          onCancel={() => setMaking(false)}
          onSaved={(uuid) => {
            setMaking(false);
            answer.reload();
            choose(uuid);
          }}
        />
      ) : null}
      <QueryState query={answer} what="list of service accounts">
        {({ serviceAccounts }) => (
          <div className="stack">
            <PagedList list={serviceAccounts} label="Pages of service accounts" empty="There are no service accounts.">
              {(rows, total) => (
                <ServiceAccountsTable caption={counted(total, "service account")} rows={rows} onChoose={choose} />
              )}
            </PagedList>
            <p className="note">
              For programs that read or send by themselves: no password, only tokens, and a person who answers for them.
              Their tokens stop while that person is deactivated.
            </p>
          </div>
        )}
      </QueryState>
      {chosen ? (
        <ServiceAccountSection
          key={chosen.uuid}
          account={chosen}
          onChanged={answer.reload}
          onClose={() => choose(undefined)}
        />
      ) : null}
    </section>
  );
}
