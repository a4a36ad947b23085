// Entities by id, without a walk over the document: a section's map is made once and lives as long as the section.

const memory = new WeakMap<readonly { readonly id: string }[], ReadonlyMap<string, number>>();

/** The number an entity has in its section; the first where a document repeats an id. */
export function indexOf(section: readonly { readonly id: string }[], id: string): number | undefined {
  let map = memory.get(section);
  if (map === undefined) {
    const made = new Map<string, number>();
    section.forEach((entity, index) => {
      if (!made.has(entity.id)) made.set(entity.id, index);
    });
    memory.set(section, made);
    map = made;
  }
  return map.get(id);
}

/** The entity with this id. */
export function byId<E extends { readonly id: string }>(section: readonly E[], id: string): E | undefined {
  const index = indexOf(section, id);
  return index === undefined ? undefined : section[index];
}
