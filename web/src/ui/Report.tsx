export function Report() { return <div />; }
