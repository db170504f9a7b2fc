export function keepThreads(): () => void;
