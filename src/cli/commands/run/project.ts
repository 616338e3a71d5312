import type { Context } from '../../context.ts';
import { findProject } from '../../../client/profile/project-file.ts';
import type { Project } from '../../../client/profile/project-file.ts';

const found = new WeakMap<Context, Promise<Project | undefined>>();

/** The project of the working folder: looked for, and warned of, once in a run. */
export function projectOf(context: Context): Promise<Project | undefined> {
  const known = found.get(context) ?? findProject(context.ports);
  found.set(context, known);
  return known;
}
