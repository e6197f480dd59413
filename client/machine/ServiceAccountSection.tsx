import { Button, Card, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { type MadeToken, MadeTokenNotice } from "../auth/TokenForm.tsx";
import { TokensTable } from "../auth/TokensTable.tsx";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { mutate } from "../urql.ts";
import { ServiceAccountForm } from "./ServiceAccountForm.tsx";
import { ServiceTokenForm } from "./ServiceTokenForm.tsx";

const fragment = graphql(`
  fragment ServiceAccountSection_ServiceAccount on ServiceAccount {
    uuid
    name
    owner { id userName }
    active
    privileges
    province { id provinceId }
    district { id districtId }
    implementingPartner { id implementingPartnerId }
    accessTokens { uuid ...TokensTable_AccessToken }
  }
`);

const revokeMutation = graphql(`
  mutation ServiceAccountSection_revoke($input: RevokeServiceAccountTokenInput!) {
    revokeServiceAccountToken(input: $input) { accessToken { uuid revoked } errors { path message } }
  }
`);

const endMutation = graphql(`
  mutation ServiceAccountSection_end($input: EndServiceAccountInput!) {
    endServiceAccount(input: $input) { serviceAccount { uuid active } errors { path message } }
  }
`);

type ServiceAccountSectionProps = {
  account: FragmentType<typeof fragment>;
  onChanged: () => void;
  onClose: () => void;
};

/** One service account: changing it, its tokens, ending it. */
export function ServiceAccountSection({ account, onChanged, onClose }: ServiceAccountSectionProps) {
  const { uuid, name, owner, active, privileges, province, district, implementingPartner, accessTokens } = readFragment(
    fragment,
    account,
  );
  const [doing, setDoing] = useState<"change" | "token" | "end">();
  const [isEnding, setEnding] = useState(false);
  const [made, setMade] = useState<MadeToken>();
  const stop = () => setDoing(undefined);
  const limit = [
    province && `province:${province.provinceId}`,
    district && `district:${district.districtId}`,
    implementingPartner && `partner:${implementingPartner.implementingPartnerId}`,
  ];

  const revoke = async (tokenUuid: string) => {
    const { data, failure } = await mutate(revokeMutation, { input: { uuid, tokenUuid } });
    if (!data?.revokeServiceAccountToken.accessToken)
      return failure ?? data?.revokeServiceAccountToken.errors[0]?.message ?? "The token could not be revoked";
    onChanged();
    return undefined;
  };
  const end = async () => {
    setEnding(true);
    const { data, failure } = await mutate(endMutation, { input: { uuid } });
    setEnding(false);
    stop();
    if (data?.endServiceAccount.serviceAccount) showSuccess(`${name} has ended`);
    else showError(failure ?? data?.endServiceAccount.errors[0]?.message ?? "The account could not be ended");
    onChanged();
  };

  return (
    <section className="stack" aria-labelledby="account-heading">
      <div className="row is-spread">
        <h2 id="account-heading">{name}</h2>
        <div className="row">
          {active && doing === undefined ? (
            <>
              <Button onClick={() => setDoing("token")} text="New token" />
              <Button onClick={() => setDoing("change")} text="Change" />
              <Button onClick={() => setDoing("end")} text="End account" />
            </>
          ) : null}
          <Button onClick={onClose} text="Close" />
        </div>
      </div>
      {doing === "change" ? (
        <ServiceAccountForm
          account={{
            uuid,
            name,
            owner: owner?.userName ?? "",
            privileges: [...privileges],
            limit: limit.find(Boolean) || "",
          }}
          onCancel={stop}
          onSaved={() => {
            stop();
            onChanged();
          }}
        />
      ) : null}
      {doing === "token" ? (
        <ServiceTokenForm
          uuid={uuid}
          onCancel={stop}
          onMade={(token) => {
            stop();
            setMade(token);
            onChanged();
          }}
        />
      ) : null}
      {doing === "end" ? (
        <Card className="stack" role="alert">
          <p>All tokens of {name} end now, for good. What it sent stays.</p>
          <div className="row">
            <BusyButton intent={Intent.DANGER} isBusy={isEnding} onClick={() => void end()} text={`End ${name}`} />
            <Button onClick={stop} text="Cancel" />
          </div>
        </Card>
      ) : null}
      {made ? <MadeTokenNotice token={made} onDone={() => setMade(undefined)} /> : null}
      <TokensTable empty="This account has no tokens." onRevoke={revoke} tokens={accessTokens} />
    </section>
  );
}
