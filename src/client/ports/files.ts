import type { Secret } from '../../base/secret.ts';

/** The files that a user names, and the pictures that a bank sends. */
export interface Files {
  /** The bytes of a file, or of stdin for `-`. Throws INPUT_INVALID naming the path. */
  read(path: string): Promise<Uint8Array>;
  /** The bytes of a file of any size, in pieces, each of which is true until the next is asked for; throws while they are read. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /** The names of the files of a folder, sorted; undefined for anything but a folder. */
  listing(path: string): Promise<readonly string[] | undefined>;
  /**
   * The first bytes of a regular file; undefined where nothing is, or where it cannot be opened. Throws INPUT_INVALID at once
   * for anything else, a link included.
   */
  beginning(path: string, bytes: number): Promise<Uint8Array | undefined>;
  /** Writes atomically, mode 0600; never over an existing file without `force`; `folder` makes a missing one, 0700. */
  write(
    path: string,
    bytes: Uint8Array | Secret,
    options: { force: boolean; folder?: boolean },
  ): Promise<void>;
  /** Throws OUTPUT_LOST where the folder of a file that is to be written later is none, or takes none from this user. */
  needPlace(path: string): Promise<void>;
  /** Removes a file that obk wrote itself; nothing where there is none. */
  remove(path: string): Promise<void>;
  /** Whether nobody but the owner can read a file, as far as the system tells. */
  isPrivate(path: string): Promise<boolean>;
  /** Whether a path leads into a folder or to something in it, once its links are followed; also where nothing is there. */
  isWithin(folder: string, path: string): Promise<boolean>;
  /** Opens $VISUAL or $EDITOR on a text and gives it back as saved. */
  edit(text: string, suffix: string): Promise<string>;
  /** Saves the picture of a challenge under a new name in a private directory, mode 0600; returns its absolute path. */
  savePicture(bytes: Uint8Array, suffix: 'png' | 'jpg' | 'gif'): Promise<string>;
  /** Removes a picture that `savePicture` saved; any other path is left alone. */
  removePicture(path: string): Promise<void>;
  /** An absolute form of a path that the user typed. */
  absolute(path: string): string;
  /** The nearest `.obk.json`, from the working folder up to the home folder or the root. */
  project(): Promise<ProjectFile | undefined>;
}

/** A project file as it is found: its real path, whatever links led to it. */
export interface ProjectFile {
  path: string;
  /** Not there where it cannot be read, or is longer than 64 KiB. */
  text?: string;
  /** The hash of the bytes, in hex; empty without a text. */
  sha256: string;
  /** Whether it belongs to a user who is neither the one of this process nor root. */
  foreign: boolean;
}
