import { Callout, Intent } from "@blueprintjs/core";
import { type ReactElement, type ReactNode, use } from "react";
import { Page, WithinPage } from "../page/Page.tsx";

type NoticeProps = {
  heading: string;
  icon: ReactElement;
  role?: "alert" | "status";
  tone?: "calm" | "bad";
  children?: ReactNode;
};

/** A notice in place of content. If it replaces a whole screen, its heading is the heading of the screen. */
export function Notice({ heading, icon, role, tone = "calm", children }: NoticeProps) {
  const isWithinPage = use(WithinPage);
  const notice = (
    <Callout
      className="state stack is-close"
      icon={icon}
      intent={tone === "bad" ? Intent.DANGER : undefined}
      role={role}
    >
      {isWithinPage ? (
        <p>
          <strong>{heading}</strong>
        </p>
      ) : null}
      {children}
    </Callout>
  );
  return isWithinPage ? notice : <Page title={heading}>{notice}</Page>;
}
