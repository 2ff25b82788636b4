import type { ComponentChildren, HTMLAttributes } from "preact";

type Props = Omit<HTMLAttributes<HTMLDivElement>, "onClick"> & {
  press: () => void;
  children: ComponentChildren;
};

/** A button that can also be dragged, by what `drag` gives it: no text of it is selected meanwhile. */
export function Pressable({ press, children, ...rest }: Props) {
  return (
    <div
      role="button"
      tabIndex={0}
      onClick={press}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault(); // a space would scroll
        press();
      }}
      {...rest}
    >
      {children}
    </div>
  );
}
