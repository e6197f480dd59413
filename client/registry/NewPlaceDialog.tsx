import { DialogBody, Intent } from "@blueprintjs/core";
import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { placeNames } from "./placeWords.ts";
import { ProvinceField } from "./ProvinceField.tsx";
import { callRegistry, paths, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

type NewPlaceDialogProps = { kind: PlaceKind; isOpen: boolean; onClose: () => void; onAdded: (place: RegistryPlace) => void };

/** Adds a province, a district or a partner. */
export function NewPlaceDialog({ kind, isOpen, onClose, onAdded }: NewPlaceDialogProps) {
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Add ${placeNames[kind].one}`}>
      <NewPlaceForm kind={kind} onAdded={onAdded} onClose={onClose} />
    </ModalDialog>
  );
}

function NewPlaceForm({ kind, onClose, onAdded }: Omit<NewPlaceDialogProps, "isOpen">) {
  const isDistrict = kind === "district";
  const { register, handleSubmit, errors, isBusy, refusal, send } = useRegistryForm<{ name: string; provinceId?: string }>({
    name: "",
    ...(isDistrict ? { provinceId: "" } : {}),
  });
  const submit = handleSubmit(async ({ name, provinceId }) => {
    const body = { name, ...(provinceId ? { provinceId: Number(provinceId) } : {}) };
    const added = await send(callRegistry<RegistryPlace>("POST", paths.places(kind), { body }));
    if (added) onAdded(added.body);
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <DialogBody className="stack">
        <FormAlert message={refusal.message} />
        <TextField autoComplete="off" error={errors.name?.message} field={register("name")} isName isRequired label="Name" />
        {isDistrict ? <ProvinceField error={errors.provinceId?.message} field={register("provinceId")} /> : null}
      </DialogBody>
      <DialogButtons closing="Cancel" onClose={onClose}>
        <BusyButton intent={Intent.PRIMARY} isBusy={isBusy} text={`Add ${placeNames[kind].one}`} type="submit" />
      </DialogButtons>
    </form>
  );
}
