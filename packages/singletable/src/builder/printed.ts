/** The member that consoles and test runners call to print an object. */
const PRINT = Symbol.for('nodejs.util.inspect.custom')

/**
 * Lets consoles print an object as JSON has it. Everything of a table leads to its context, which
 * has its secrets and more than anybody wants to read in a log.
 */
export function printAsJson<TObject extends { toJSON(): string }>(target: TObject): TObject {
  return Object.defineProperty(target, PRINT, {
    // Copies of a context are printed in the same way.
    enumerable: !('constructor' in target) || target.constructor === Object,
    value(this: TObject) {
      return this.toJSON()
    },
  })
}
