import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { ListBar } from "../ui/filter/ListBar.tsx";
import { SearchForm } from "../ui/filter/SearchForm.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { CredentialFilterForm, useCredentialChips } from "./CredentialFilterForm.tsx";
import { isFiltered, readCredentialFilter } from "./credentialFilter.ts";
import { type IssuedFile, IssueSiteCredentialsForm } from "./IssueSiteCredentialsForm.tsx";
import { IssuedNotice } from "./IssuedNotice.tsx";
import { RevokeManyPanel } from "./RevokeManyPanel.tsx";
import { SiteCredentialsTable } from "./SiteCredentialsTable.tsx";

const query = graphql(`
  query SiteCredentialsTabQuery($state: SiteCredentialState, $search: String, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $offset: Int) {
    siteCredentials(
      state: $state, search: $search, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      first: 10, offset: $offset
    ) {
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

/** The list of site credentials, with forms to issue and revoke many at once. */
export function SiteCredentialsTab() {
  const [url] = useSearchParams();
  const filter = readCredentialFilter(url);
  const answer = useScreenQuery(query, { ...filter, offset: offsetOf(url) });
  const chips = useCredentialChips();
  const [isIssuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedFile>();

  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (facilityUuid: string) =>
    setChosen(chosen.includes(facilityUuid) ? chosen.filter((one) => one !== facilityUuid) : [...chosen, facilityUuid]);
  const revoke = async (uuid: string) => {
    const { data, failure } = await mutate(revokeMutation, { input: { uuid } });
    if (!data?.revokeSiteCredential.siteCredential)
      return failure ?? data?.revokeSiteCredential.errors[0]?.message ?? "It could not be revoked";
    answer.reload();
    return undefined;
  };

  return (
    <section className="stack" aria-labelledby="sites-heading">
      <h2 className="visually-hidden" id="sites-heading">
        Site credentials
      </h2>
      {isIssuing ? null : (
        <ListBar chips={chips} form={<CredentialFilterForm />} search={<SearchForm label="Facility" />}>
          <Button icon={<AddIcon />} onClick={() => setIssuing(true)} text="Issue credentials" />
        </ListBar>
      )}
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
      <QueryState query={answer} what="list of site credentials">
        {({ siteCredentials }) =>
          siteCredentials ? (
            <div className="stack">
              <RevokeManyPanel
                chosen={chosen}
                filter={filter}
                total={siteCredentials.totalCount}
                onClear={() => setChosen([])}
                onRevoked={() => {
                  setChosen([]);
                  answer.reload();
                }}
              />
              <PagedList
                list={siteCredentials}
                label="Pages of site credentials"
                empty={isFiltered(filter) ? "Nothing matches." : "No site has a credential yet."}
              >
                {(rows) => (
                  <SiteCredentialsTable
                    caption={counted(siteCredentials.totalCount, "site")}
                    rows={rows}
                    chosen={chosen}
                    onChoose={toggle}
                    onRevoke={revoke}
                  />
                )}
              </PagedList>
              <p className="note">
                With its credential a facility sends its own TDBs and asks about itself, and nothing else. The sender
                renews it before it ends.
              </p>
            </div>
          ) : null
        }
      </QueryState>
    </section>
  );
}
