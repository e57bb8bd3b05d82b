/** Codes of LMDB: no matching key, a key of a wrong size, a transaction that can't continue. */
const NOT_FOUND = -30798
const BAD_KEY_SIZE = -30781
const BAD_TRANSACTION = -30782
const FREE_LIST_CODES: ReadonlySet<unknown> = new Set([NOT_FOUND, BAD_KEY_SIZE, BAD_TRANSACTION])

const ATTEMPTS_MAX = 4

/**
 * Repeats a commit that failed in LMDB's list of free pages.
 *
 * The package lmdb looks for free pages while it writes the list of them, and then may read an
 * entry that is only half written. It notices that, gives up the transaction before anything was
 * written, and forgets what it had read of the list, so the same commit can be made again. A small
 * commit before that changes the list: without it the same entry might be met again.
 *
 * Other failures are final. After one of the disk, a repeated commit may succeed although nothing
 * was written.
 */
export async function repeatCommit(
  commit: () => Promise<void>,
  commitSmall: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await commit()
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isOfFreeList(error)) throw error
      await commitSmall().catch((second) => {
        if (!isOfFreeList(second)) throw second
      })
    }
  }
}

/** No entry of ours can have the first two codes: removing what is not there is no failure, and our
 * keys have the right size. With the third nothing was written either, whatever the reason. */
function isOfFreeList(error: unknown): boolean {
  return FREE_LIST_CODES.has((error as { readonly code?: unknown }).code)
}
