import { Button, Classes, Overlay2 } from "@blueprintjs/core";
import { CrossIcon } from "@blueprintjs/icons";
import { Brand } from "./Brand.tsx";
import { Menu } from "./Menu.tsx";
import { Person } from "./Person.tsx";
import { SavingDataButton } from "./SavingDataButton.tsx";
import { ThemeButton } from "./ThemeButton.tsx";

const drawer = `${Classes.DRAWER} ${Classes.positionClass("left")} menu-drawer`;

type MenuDrawerProps = { isOpen: boolean; onClose: () => void; onClosed: () => void };

/** The menu of a narrow screen. Blueprint's own Drawer says to nobody that it is a dialog. */
export function MenuDrawer({ isOpen, onClose, onClosed }: MenuDrawerProps) {
  return (
    <Overlay2
      className={Classes.OVERLAY_CONTAINER}
      isOpen={isOpen}
      onClose={onClose}
      onClosed={onClosed}
      shouldReturnFocusOnClose={false}
    >
      <div aria-label="Menu" aria-modal="true" className={drawer} role="dialog">
        <div className="menu-drawer-head">
          <Button
            aria-label="Close menu"
            autoFocus
            className="top-bar-button"
            icon={<CrossIcon size={20} />}
            onClick={onClose}
            variant="minimal"
          />
          <Brand />
        </div>
        <Menu onChoose={onClose} />
        <div className="rail-foot">
          <Person />
          <ThemeButton />
          <SavingDataButton />
        </div>
      </div>
    </Overlay2>
  );
}
