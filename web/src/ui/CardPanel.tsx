export function CardPanel() { return <div />; }
