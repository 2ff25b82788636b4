export function Position() { return <div />; }
