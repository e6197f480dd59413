import { Button, Checkbox, Intent, SegmentedControl, Switch } from "@blueprintjs/core";
import { EditIcon, MoreIcon } from "@blueprintjs/icons";
import { useForm } from "react-hook-form";
import { AnswerField } from "../../ui/field/AnswerField.tsx";
import { DateField } from "../../ui/field/DateField.tsx";
import { SelectField } from "../../ui/field/SelectField.tsx";
import { TextAreaField } from "../../ui/field/TextAreaField.tsx";
import { TextField } from "../../ui/field/TextField.tsx";
import { TickField } from "../../ui/field/TickField.tsx";

type Values = {
  name: string;
  wrong: string;
  comment: string;
  province: string;
  day: string;
  answer: string;
  yes: boolean | null;
  no: boolean | null;
  open: boolean | null;
};
const defaultValues: Values = {
  ...{ name: "Monze Mission Hospital", wrong: "4.2.x", comment: "The generator is repaired.", province: "1" },
  ...{ day: "2026-11-22", answer: "yes", yes: true, no: false, open: null },
};
const provinces = [
  { value: "1", label: "Southern" },
  { value: "2", label: "Western" },
];
const nothing = () => undefined;

/** Buttons and fields. */
export function StyleFieldsSection() {
  const form = useForm<Values>({ defaultValues });
  const { register, control } = form;
  return (
    <>
      <div className="row is-close">
        <Button intent={Intent.PRIMARY} text="Save" />
        <Button text="Cancel" />
        <Button icon={<EditIcon />} text="Edit" />
        <Button text="Remove all" variant="minimal" />
        <Button text="Map" variant="outlined" />
        <Button intent={Intent.DANGER} text="Deactivate" />
        <Button disabled text="Not now" />
        <Button active text="Pressed" />
        <Button size="small" text="Small" />
        <Button aria-label="More" icon={<MoreIcon />} />
        <SegmentedControl
          aria-label="Figures"
          inline
          onValueChange={nothing}
          options={["Percent", "Numbers"].map((label) => ({ label, value: label }))}
          size="small"
          value="Percent"
        />
        <Switch className="style-switch" defaultChecked label="Data saver" />
      </div>
      <div className="grid">
        <TextField field={register("name")} help="As on the signboard." isRequired label="Name" />
        <TextField error="is not a version, such as 4.3.1" field={register("wrong")} label="Library version" />
        <TextField disabled field={{ name: "code", value: "40213", onChange: nothing }} label="Code" />
        <SelectField field={register("province")} label="Province" none="Choose a province" options={provinces} />
        <DateField control={control} label="Day of the visit" name="day" />
        <TextAreaField field={register("comment")} label="Comment" mark="From the last visit" />
      </div>
      <div className="grid">
        <div>
          <TickField form={form} label="Has power" name="yes" />
          <TickField form={form} label="Has a generator" name="no" />
          <TickField form={form} label="Has solar panels" name="open" />
          <TickField disabled form={form} label="Has a battery" name="open" />
        </div>
        <AnswerField field={register("answer")} label="Does SmartCare work?" mark="Last visit: yes" />
        <div>
          <Checkbox defaultChecked label="Ticked" />
          <Checkbox label="Not ticked" />
          <Checkbox indeterminate label="Some of them" onChange={nothing} />
        </div>
      </div>
    </>
  );
}
