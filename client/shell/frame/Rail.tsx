import { Link } from "react-router-dom";
import { routes } from "../../routes.ts";
import { Menu } from "../menu/Menu.tsx";
import { PaletteButton } from "../palette/PaletteButton.tsx";
import { Brand } from "./Brand.tsx";
import { Person } from "./Person.tsx";
import { SavingDataButton } from "./SavingDataButton.tsx";
import { ThemeButton } from "../theme/ThemeButton.tsx";

/** The header of a wide screen: a rail on the left with the name, the menu and the signed-in person. */
export function Rail() {
  return (
    <header className="rail stack is-apart screen-only bp6-dark">
      <Link to={routes.home()}>
        <Brand />
      </Link>
      <PaletteButton />
      <Menu />
      <div className="rail-foot stack">
        <Person />
        <ThemeButton />
        <SavingDataButton />
      </div>
    </header>
  );
}
