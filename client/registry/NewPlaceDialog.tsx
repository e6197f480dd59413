import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { placeNames } from "./placeWords.ts";
import { ProvinceField } from "./ProvinceField.tsx";
import { callRegistry, paths, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

type NewPlaceDialogProps = {
  kind: PlaceKind;
  isOpen: boolean;
  onClose: () => void;
  onAdded: (place: RegistryPlace) => void;
};

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
  const { register, handleSubmit, errors, isBusy, refusal, send } = useRegistryForm<{
    name: string;
    provinceId?: string;
  }>({
    name: "",
    ...(isDistrict ? { provinceId: "" } : {}),
  });
  const submit = handleSubmit(async ({ name, provinceId }) => {
    const body = { name, ...(provinceId ? { provinceId: Number(provinceId) } : {}) };
    const added = await send(callRegistry<RegistryPlace>("POST", paths.places(kind), { body }));
    if (added) onAdded(added.body);
  });
  return (
    <DialogForm
      action={`Add ${placeNames[kind].one}`}
      alert={refusal.message}
      closing="Cancel"
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        autoComplete="off"
        error={errors.name?.message}
        field={register("name")}
        isName
        isRequired
        label="Name"
      />
      {isDistrict ? <ProvinceField error={errors.provinceId?.message} field={register("provinceId")} /> : null}
    </DialogForm>
  );
}
