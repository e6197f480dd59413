import { DialogBody, Intent } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { counted } from "../ui/text/counted.ts";
import { listParts, type PlacePart } from "./placeParts.ts";
import { PlacePartsField } from "./PlacePartsField.tsx";
import { partNames, placeNames } from "./placeWords.ts";
import { RefusalNote } from "./RefusalNote.tsx";
import { callRegistry, paths, type PlaceFormProps, type RegistryPlace } from "./registryCalls.ts";
import { useRegistryForm } from "./useRegistryForm.ts";

/** The result of a split: the place that was split, the new one, and how many parts moved to it. */
export type PlaceSplit = { from: RegistryPlace; into: RegistryPlace; moved: number };
type PlaceSplitDialogProps = PlaceFormProps & { isOpen: boolean; onClose: () => void; onSplit: (split: PlaceSplit) => void };

/** Splits a place or partner: asks for the name of the new one, and which districts or facilities move to it. */
export function PlaceSplitDialog({ isOpen, onClose, ...form }: PlaceSplitDialogProps) {
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Split ${form.place.name}`}>
      <PlaceSplitForm {...form} onClose={onClose} />
    </ModalDialog>
  );
}

function PlaceSplitForm({ place, etag, onClose, onSplit, onReadAgain }: Omit<PlaceSplitDialogProps, "isOpen">) {
  const { kind, id, name: present } = place;
  const [parts, setParts] = useState<readonly PlacePart[]>();
  const [hasFailed, setFailed] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { register, handleSubmit, errors, isBusy, refusal, refuse, send } = useRegistryForm({ name: "" });
  const { field, one, many } = partNames[kind];
  useEffect(() => {
    listParts(place).then(setParts, () => setFailed(true));
  }, [place]);
  const readAgain = () => {
    setFailed(false);
    listParts(place).then(setParts, () => setFailed(true));
  };

  const submit = handleSubmit(async ({ name }) => {
    if (chosen.size === 0 || chosen.size === parts?.length)
      return refuse({ status: 422, message: chosen.size === 0 ? `Choose the ${many} that go to the new ${placeNames[kind].one}.` : `All ${many} are chosen: at least one stays with ${present}.`, faults: [] });
    const body = { name, [field]: kind === "province" ? [...chosen].map(Number) : [...chosen] };
    const done = await send(callRegistry<PlaceSplit>("POST", paths.placeAct(kind, id, "split"), { body, etag }));
    if (done) onSplit(done.body);
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <DialogBody className="stack">
        <RefusalNote {...refusal} onReadAgain={onReadAgain} />
        <TextField
          autoComplete="off"
          error={errors.name?.message}
          field={register("name")}
          isName
          isRequired
          label={`Name of the new ${placeNames[kind].one}`}
        />
        {parts ? <PlacePartsField chosen={chosen} label={`What goes to the new ${placeNames[kind].one}`} many={many} one={one} onChoose={setChosen} parts={parts} /> : null}
        {hasFailed ? <Failure message={`The list of ${many} cannot be had now.`} onRetry={readAgain} /> : parts ? null : <Loading />}
      </DialogBody>
      <DialogButtons closing="Cancel" onClose={onClose}>
        <BusyButton disabled={!parts} intent={Intent.PRIMARY} isBusy={isBusy} text={chosen.size === 0 ? "Split" : `Split off ${counted(chosen.size, one, many)}`} type="submit" />
      </DialogButtons>
    </form>
  );
}
