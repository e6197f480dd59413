import { Button } from "@blueprintjs/core";
import { MoonIcon } from "@blueprintjs/icons";
import { useTheme } from "./theme.ts";

/** Switches between the light and the dark theme. */
export function ThemeButton() {
  const [isDark, choose] = useTheme();
  return (
    <Button
      icon={<MoonIcon />}
      onClick={() => choose(!isDark)}
      text={isDark ? "Light theme" : "Dark theme"}
      variant="minimal"
    />
  );
}
