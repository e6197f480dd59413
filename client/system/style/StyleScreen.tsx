import { Button } from "@blueprintjs/core";
import { guarded } from "../../shell/session/guard.ts";
import { useTheme } from "../../shell/theme/theme.ts";
import { Page } from "../../ui/page/Page.tsx";
import { StyleFieldsSection } from "./StyleFieldsSection.tsx";
import { StyleFiguresSection } from "./StyleFiguresSection.tsx";
import { StyleListsSection } from "./StyleListsSection.tsx";
import { StyleNoticesSection } from "./StyleNoticesSection.tsx";
import { StyleTokensSection } from "./StyleTokensSection.tsx";
import "./StyleScreen.css";

export const loader = guarded("viewSystem");

/**
 * Every component in each of its states, with made-up data, in parts that unfold: the page that a change of the look is judged by
 * (test/shell/style.screen.test.ts has its pictures). For administrators.
 */
export function StyleScreen() {
  const [isDark, choose] = useTheme();
  const parts = [
    { title: "Type, space and colour", Part: StyleTokensSection },
    { title: "Buttons and fields", Part: StyleFieldsSection },
    { title: "Lists", Part: StyleListsSection },
    { title: "Figures", Part: StyleFiguresSection },
    { title: "Notices", Part: StyleNoticesSection },
  ];
  return (
    <Page
      actions={<Button onClick={() => choose(!isDark)} text={isDark ? "Show it light" : "Show it dark"} />}
      subtitle="Each component in each of its states. The data is made up."
      title="Style"
    >
      <div className="style-page stack is-apart">
        {parts.map(({ title, Part }, at) => (
          <section aria-label={title} key={title}>
            <details open={at === 0}>
              <summary>
                <h2>{title}</h2>
              </summary>
              <div className="stack">
                <Part />
              </div>
            </details>
          </section>
        ))}
      </div>
    </Page>
  );
}
