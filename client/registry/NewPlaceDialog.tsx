import { Button, DialogBody, DialogFooter, Intent } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { placeNames } from "./placeWords.ts";
import { ProvinceField } from "./ProvinceField.tsx";
import { callRegistry, paths, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryCall } from "./useRegistryCall.ts";

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
  const { isBusy, faultOf, otherFault, onEdit, send } = useRegistryCall();
  const { register, handleSubmit } = useForm({ defaultValues: { name: "", provinceId: "" } });
  const isDistrict = kind === "district";
  const submit = handleSubmit(async ({ name, provinceId }) => {
    const body = { name, ...(provinceId === "" ? {} : { provinceId: Number(provinceId) }) };
    const added = await send(() => callRegistry<RegistryPlace>("POST", paths.places(kind), { body }));
    if (added) onAdded(added.body);
  });
  return (
    <form className="registry-form stack" noValidate onInput={onEdit} onSubmit={(event) => void submit(event)}>
      <DialogBody>
        <FormAlert message={otherFault((path) => path === "name" || (isDistrict && path === "provinceId"))} />
        <TextField autoComplete="off" error={faultOf("name")} field={register("name")} isName isRequired label="Name" />
        {isDistrict ? <ProvinceField error={faultOf("provinceId")} field={register("provinceId")} /> : null}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button onClick={onClose} text="Cancel" />
            <BusyButton intent={Intent.PRIMARY} isBusy={isBusy} text={`Add ${placeNames[kind].one}`} type="submit" />
          </>
        }
      />
    </form>
  );
}
