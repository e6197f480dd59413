import { Button, FormGroup, HTMLSelect, InputGroup } from "@blueprintjs/core";
import { AddIcon, SearchIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { credentialStates, stateNames } from "../../gateway/machine/siteCredential.rules.ts";
import { useUrlText } from "../facility/urlText.ts";
import { graphql } from "../gql/gql.ts";
import { counted } from "../reference/counted.ts";
import { offsetOf } from "../reference/pageOffset.ts";
import { PagedList } from "../reference/PagedList.tsx";
import { QueryState } from "../ui/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { type IssuedFile, IssueSiteCredentialsForm } from "./IssueSiteCredentialsForm.tsx";
import { IssuedNotice } from "./IssuedNotice.tsx";
import { SiteCredentialsTable } from "./SiteCredentialsTable.tsx";

const query = graphql(`
  query SiteCredentialsTabQuery($state: SiteCredentialState, $search: String, $offset: Int) {
    siteCredentials(state: $state, search: $search, first: 10, offset: $offset) {
      totalCount
      nodes { uuid ...SiteCredentialsTable_SiteCredential }
    }
  }
`);

const revokeMutation = graphql(`
  mutation SiteCredentialsTab_revoke($input: RevokeSiteCredentialInput!) {
    revokeSiteCredential(input: $input) { siteCredential { uuid state } errors { path message } }
  }
`);

/** The credentials of sites: issued for many at once, watched and revoked. */
export function SiteCredentialsTab() {
  const [url, setUrl] = useSearchParams();
  const { typed, type, commit } = useUrlText("search");
  const state = stateNames.find((name) => name === url.get("state")) ?? null;
  const answer = useScreenQuery(query, { state, search: url.get("search")?.slice(0, 128) || null, offset: offsetOf(url) });
  const [isIssuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedFile>();

  const choose = (value: string) =>
    setUrl(
      (now) => {
        now.delete("page");
        if (value) now.set("state", value);
        else now.delete("state");
        return now;
      },
      { replace: true },
    );
  const revoke = async (uuid: string) => {
    const { data, failure } = await mutate(revokeMutation, { input: { uuid } });
    if (!data?.revokeSiteCredential.siteCredential) return failure ?? data?.revokeSiteCredential.errors[0]?.message ?? "It could not be revoked";
    answer.reload();
    return undefined;
  };

  return (
    <section className="machine-section" aria-labelledby="sites-heading">
      <div className="machine-head">
        <div>
          <h2 id="sites-heading">Site credentials</h2>
          <p className="machine-note">
            With its credential a facility sends its own TDBs and asks about itself, and nothing else. The sender renews it before it ends.
          </p>
        </div>
        {isIssuing ? null : <Button icon={<AddIcon />} onClick={() => setIssuing(true)} text="Issue credentials" />}
      </div>
      {isIssuing ? (
        <IssueSiteCredentialsForm
          onCancel={() => setIssuing(false)}
          onIssued={(file) => {
            setIssuing(false);
            setIssued(file);
            answer.reload();
          }}
        />
      ) : null}
      {issued ? <IssuedNotice issued={issued} onDone={() => setIssued(undefined)} /> : null}
      <form
        className="machine-fields"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          commit(typed);
        }}
      >
        <FormGroup label="Facility" labelFor="credentials-search">
          <InputGroup
            autoComplete="off"
            id="credentials-search"
            leftElement={<SearchIcon />}
            maxLength={128}
            onChange={(event) => type(event.currentTarget.value)}
            spellCheck={false}
            value={typed}
          />
        </FormGroup>
        <FormGroup label="State" labelFor="credentials-state">
          <HTMLSelect fill id="credentials-state" onChange={(event) => choose(event.currentTarget.value)} value={state ?? ""}>
            <option value="">All</option>
            {stateNames.map((name) => (
              <option key={name} value={name}>
                {credentialStates[name]}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
      </form>
      <QueryState query={answer} what="list of site credentials">
        {({ siteCredentials }) =>
          siteCredentials ? (
            <PagedList
              total={siteCredentials.totalCount}
              shown={siteCredentials.nodes.length}
              label="Pages of site credentials"
              empty={state || url.get("search") ? "Nothing matches." : "No site has a credential yet."}
            >
              <SiteCredentialsTable caption={counted(siteCredentials.totalCount, "site")} rows={siteCredentials.nodes} onRevoke={revoke} />
            </PagedList>
          ) : null
        }
      </QueryState>
    </section>
  );
}
