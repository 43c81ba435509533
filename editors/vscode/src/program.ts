// Which program the extension starts: the one at the absolute path that the user has set. It is never a name that the system
// looks up, because a folder may contain a program of that name, and Windows looks there first. Nothing here is of VS Code.

import { realpathSync, statSync, accessSync, constants } from "node:fs";
import { posix, win32 } from "node:path";

/** Whether a path leads to another machine, or to a device: it begins with two slashes, in either direction. */
export function isNetworkPath(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

/** Whether a path is on this machine, and the same whatever the current directory and the current drive are. */
function isFixed(path: string, platform: NodeJS.Platform): boolean {
  return !isNetworkPath(path) && (platform === "win32" ? /^[A-Za-z]:[\\/]/.test(path) : path.startsWith("/"));
}

/** What is wrong with a path as that of the program. */
export function refusal(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (path === "") {
    return "The setting hcl.server.path is empty. It must be the absolute path of hcl.";
  }
  if (isNetworkPath(path)) {
    return `The setting hcl.server.path is a network path: ${path}. Programs of other machines are not started.`;
  }
  if (!isFixed(path, platform)) {
    return `The setting hcl.server.path must be an absolute path, not ${path}.`;
  }
  return undefined;
}

/** Whether a path is a folder, or in it. Names that differ in case only count as equal. */
function isIn(path: string, folder: string, platform: NodeJS.Platform): boolean {
  const { relative, isAbsolute, sep } = platform === "win32" ? win32 : posix;
  const rest = relative(folder.toLowerCase(), path.toLowerCase());
  return rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * The program on the path, to be offered to the user. What is in one of the folders is left out, also behind links, and so are
 * entries of the path that are relative, empty or on the network.
 */
export function offered(
  path: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const system = platform === "win32" ? win32 : posix;
  const name = platform === "win32" ? "hcl.exe" : "hcl";
  const own = folders.flatMap((folder) => [folder, resolved(folder) ?? folder]);
  const isOfFolder = (path: string) => own.some((folder) => isIn(path, folder, platform));
  for (const directory of path.split(system.delimiter)) {
    if (!isFixed(directory, platform)) {
      continue;
    }
    const program = system.join(directory, name);
    const target = resolved(program);
    if (target === undefined || isOfFolder(program) || isOfFolder(target) || isNetworkPath(target)) {
      continue;
    }
    try {
      accessSync(target, constants.X_OK);
      if (statSync(target).isFile()) {
        return program;
      }
    } catch {
      // It is not a program.
    }
  }
  return undefined;
}
