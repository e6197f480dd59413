import { Button, Card, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { RecoveryCodesNotice } from "./RecoveryCodesNotice.tsx";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import { SecretForm } from "./SecretForm.tsx";

const query = graphql(`
  query SecondFactorSectionQuery {
    viewer { user { id } secondFactor { on sinceDate recoveryCodesLeft required } }
  }
`);

const endMutation = graphql(`
  mutation SecondFactorSection_end($input: EndSecondFactorInput!) {
    endSecondFactor(input: $input) { errors { path message } }
  }
`);

const renewMutation = graphql(`
  mutation SecondFactorSection_renew($input: RenewRecoveryCodesInput!) {
    renewRecoveryCodes(input: $input) { recoveryCodes errors { path message } }
  }
`);

/** The signed-in person's second factor, to be set up or switched off. */
export function SecondFactorSection() {
  const answer = useScreenQuery(query, {});
  const [doing, setDoing] = useState<"setup" | "renew" | "end">();
  const [codes, setCodes] = useState<readonly string[]>();
  const stop = () => setDoing(undefined);
  const done = () => {
    stop();
    setCodes(undefined);
    answer.reload();
  };

  const end = async (password: string) => {
    const { data, failure } = await mutate(endMutation, { input: { password } });
    const wrong = data?.endSecondFactor.errors[0];
    if (!data || wrong) return wrong ?? { path: "", message: failure ?? "The second factor could not be switched off" };
    showSuccess("Your second factor is switched off");
    done();
    return undefined;
  };
  const renew = async (password: string) => {
    const { data, failure } = await mutate(renewMutation, { input: { password } });
    const { recoveryCodes, errors } = data?.renewRecoveryCodes ?? {};
    if (!recoveryCodes) return errors?.[0] ?? { path: "", message: failure ?? "No recovery codes could be made" };
    stop();
    setCodes(recoveryCodes);
    return undefined;
  };

  return (
    <Card className="stack" aria-labelledby="factor-heading" role="region">
      <h2 id="factor-heading">Second factor</h2>
      <QueryState query={answer} what="second factor">
        {({ viewer }) => {
          const factor = viewer?.secondFactor;
          if (!factor) return null;
          if (codes) return <RecoveryCodesNotice codes={codes} onDone={done} />;
          if (doing === "setup") return <SecondFactorForm onCancel={stop} onDone={done} />;
          if (!factor.on)
            return (
              <div className="stack">
                <p>
                  Sign-ins ask for your password only. With a second factor they also ask for a code of an app on your
                  telephone.
                </p>
                <div>
                  <Button onClick={() => setDoing("setup")} text="Set up" />
                </div>
              </div>
            );
          return (
            <div className="stack">
              <p>
                Sign-ins ask for a code{factor.sinceDate ? ` since ${formatDate(factor.sinceDate)}` : ""}.{" "}
                {counted(factor.recoveryCodesLeft, "recovery code")} left.
                {factor.required
                  ? " Administrators need it here: switched off, it must be set up again before anything else."
                  : ""}
              </p>
              {doing === "end" ? (
                <SecretForm
                  key="end"
                  name="password"
                  intent={Intent.DANGER}
                  text="Switch off"
                  onSend={end}
                  wayOut={{ text: "Cancel", onClick: stop }}
                />
              ) : doing ? (
                <SecretForm
                  key="renew"
                  name="password"
                  text="Make new recovery codes"
                  onSend={renew}
                  wayOut={{ text: "Cancel", onClick: stop }}
                />
              ) : (
                <div className="row">
                  <Button onClick={() => setDoing("renew")} text="New recovery codes" />
                  <Button intent={Intent.DANGER} onClick={() => setDoing("end")} text="Switch off" variant="outlined" />
                </div>
              )}
            </div>
          );
        }}
      </QueryState>
    </Card>
  );
}
