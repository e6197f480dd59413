import { Button, DialogBody, FileInput } from "@blueprintjs/core";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import {
  downloadExtensions,
  downloadFormRules,
  faultOfDownload,
  fileTypeLabels,
  fileTypes,
  needsDatabaseKey,
} from "../../gateway/download/download.rules.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { Field } from "../ui/field/Field.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { sendForm } from "../ui/form/sendForm.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { UploadProgress } from "../ui/form/UploadProgress.tsx";

type Values = { fileType: string; file: string; fileName: string; fileDescription: string; dbKey: string };
type Problem = { detail?: string; errors?: { path: string; message: string }[] };

const empty: Values = { fileType: "", file: "", fileName: "", fileDescription: "", dbKey: "" };
type AddFileDialogProps = { isOpen: boolean; onClose: () => void; onAdded: () => void };

/** Adds a file to the downloads. */
export function AddFileDialog({ isOpen, onClose, onAdded }: AddFileDialogProps) {
  const { register, handleSubmit, setError, clearErrors, setValue, getValues, control, reset, formState } =
    useForm<Values>({ defaultValues: empty });
  const { errors } = formState;
  const [file, setFile] = useState<File>();
  const [percent, setPercent] = useState<number>();
  const hasKey = needsDatabaseKey(useWatch({ control, name: "fileType" }));

  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    clearErrors("file");
    const fault = chosen && faultOfDownload(chosen.name);
    if (fault) setError("file", { message: fault });
    else if (chosen && getValues("fileName") === "") setValue("fileName", chosen.name.slice(0, 48));
  };
  const close = () => {
    if (percent === undefined) onClose();
  };
  const showFaults = (found: { path: string; message: string }[]) => {
    // If a field has several errors, the first one is shown, so it is set last: "is required" before "has at least 6
    // characters".
    for (const { path, message } of found.toReversed()) setError(path as keyof Values, { message });
  };
  const submit = async ({ fileType, fileName, fileDescription, dbKey }: Values) => {
    const given = { fileType, fileName, fileDescription, ...(hasKey ? { dbKey } : {}) };
    const checked = downloadFormRules.safeParse(given);
    const fault = file ? faultOfDownload(file.name) : "File is required";
    showFaults(fault ? [{ path: "file", message: fault }] : []);
    if (!checked.success)
      showFaults(checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
    if (!checked.success || fault || !file) return;
    const form = new FormData();
    for (const [name, value] of Object.entries(checked.data)) form.append(name, value ?? "");
    form.append("file", file, file.name);
    setPercent(0);
    try {
      const { status, body } = await sendForm("/api/v1/download", form, setPercent);
      if (status === 200) {
        showSuccess("Successfully uploaded files");
        reset(empty);
        setFile(undefined);
        onClose();
        onAdded();
      } else {
        const problem = (body ?? {}) as Problem;
        showFaults(problem.errors ?? []);
        showError(problem.detail ?? "The file could not be uploaded.");
      }
    } catch (error) {
      showError(error instanceof Error ? error.message : "The file could not be uploaded.");
    } finally {
      setPercent(undefined);
    }
  };

  return (
    <ModalDialog isOpen={isOpen} onClose={close} title="Add file">
      <form
        noValidate
        onSubmit={(event) => {
          // The file is no field of the form: an earlier error of it would keep the other fields from being checked.
          clearErrors();
          void handleSubmit(submit)(event);
        }}
      >
        <DialogBody className="stack">
          <SelectField
            error={errors.fileType?.message}
            field={register("fileType")}
            label="File type"
            none="Choose …"
            options={fileTypes.map((fileType) => ({ value: fileType, label: fileTypeLabels[fileType] }))}
          />
          <Field error={errors.file?.message} help={downloadExtensions.join(", ")} label="File">
            {(control) => (
              <FileInput
                fill
                hasSelection={file !== undefined}
                inputProps={{
                  ...control,
                  accept: downloadExtensions.join(","),
                  onChange: (event) => choose(event.currentTarget.files?.[0]),
                }}
                size="large"
                text={file?.name ?? "Choose a file …"}
              />
            )}
          </Field>
          <TextField
            error={errors.fileName?.message}
            field={register("fileName")}
            help="6 to 48 characters"
            label="File name"
          />
          <TextField
            error={errors.fileDescription?.message}
            field={register("fileDescription")}
            help="12 to 128 characters"
            label="Description"
          />
          {hasKey ? (
            <TextField
              error={errors.dbKey?.message}
              field={register("dbKey")}
              help="Exactly 8 characters"
              label="Database key"
            />
          ) : null}
          {percent === undefined ? null : (
            <UploadProgress finalising="Finalising, please wait" label="Upload" percent={percent} />
          )}
        </DialogBody>
        <DialogButtons isCloseDisabled={percent !== undefined} onClose={close}>
          <Button disabled={percent !== undefined} intent="primary" text="Upload" type="submit" />
        </DialogButtons>
      </form>
    </ModalDialog>
  );
}
