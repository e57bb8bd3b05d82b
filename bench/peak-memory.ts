import { mappedBytes } from '../packages/kit/src/storage/mapped-bytes.ts'

const SAMPLE_MS = 100

/**
 * The most memory that the process has from now on. Pages of mapped files count as resident, and
 * the system takes them back when it needs them; what is anonymous the process has for itself.
 */
export function measurePeak(): { end(): string } {
  const peaks = { anonymous: 0, all: 0 }
  const sample = (): void => {
    const all = process.memoryUsage.rss()
    peaks.all = Math.max(peaks.all, all)
    peaks.anonymous = Math.max(peaks.anonymous, all - mappedBytes())
  }
  const timer = setInterval(sample, SAMPLE_MS).unref()
  return {
    end() {
      sample()
      clearInterval(timer)
      const mib = (bytes: number): number => Math.round(bytes / 2 ** 20)
      return `peak ${mib(peaks.anonymous)} MiB anonymous, ${mib(peaks.all)} MiB resident`
    },
  }
}
