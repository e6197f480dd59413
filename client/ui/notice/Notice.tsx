import { use } from "react";
import type { ReactNode } from "react";
import { Page, WithinPage } from "../page/Page.tsx";
import "./states.css";

type NoticeProps = {
  heading: string;
  icon: ReactNode;
  role?: "alert" | "status";
  tone?: "calm" | "bad";
  children?: ReactNode;
};

/** A framed notice in place of content. If it replaces a whole screen, its heading is the heading of the screen. */
export function Notice({ heading, icon, role, tone = "calm", children }: NoticeProps) {
  const isWithinPage = use(WithinPage);
  const notice = (
    <div className={`state state-notice state-${tone}`} role={role}>
      <span className="state-icon" aria-hidden="true">
        {icon}
      </span>
      <div className="state-text">
        {isWithinPage ? <p className="state-heading">{heading}</p> : null}
        {children}
      </div>
    </div>
  );
  return isWithinPage ? notice : <Page title={heading}>{notice}</Page>;
}
