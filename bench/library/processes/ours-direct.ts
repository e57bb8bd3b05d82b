import { connect } from 'singletable/direct'
import { ourLibrary } from '../our-library.ts'
import { work } from '../worker.ts'

// Only for cold starts: in a warm process the calls of `bench wire` say more.
await work(() =>
  ourLibrary(
    connect({
      region: 'us-east-1',
      endpoint: process.argv[3] ?? '',
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    }),
  ),
)
