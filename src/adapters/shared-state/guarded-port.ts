/** The port, of which these methods do something first. */
export function guarded<Port extends object>(
  first: () => Promise<void>,
  port: Port,
  ...names: readonly (keyof Port)[]
): Port {
  const all = names.map((name) => [
    name,
    async (...given: unknown[]) => {
      await first();
      return (port[name] as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return { ...port, ...(Object.fromEntries(all) as Partial<Port>) };
}
