import { deriveMasterKey } from '@/crypto/derive-here'
import { runPackJob } from './pack-jobs'
import type { WorkerAnswer, WorkerTask } from './pool'

self.onmessage = async ({ data }: MessageEvent<WorkerTask>): Promise<void> => {
  try {
    const answer = await run(data)
    self.postMessage(answer.message, { transfer: answer.transfer })
  } catch (error) {
    const failure: WorkerAnswer = { failure: error instanceof Error ? error.name : 'unknown' }
    self.postMessage(failure)
  }
}

async function run(task: WorkerTask): Promise<{ message: WorkerAnswer; transfer: Transferable[] }> {
  if (task.type === 'stretch') {
    const value = await deriveMasterKey(task.secret, task.salt)
    return { message: { value }, transfer: [value.buffer] }
  }
  const value = await runPackJob(task.job)
  const buffers = new Set((value.chunks ?? []).flatMap((chunk) => (chunk ? [chunk.buffer] : [])))
  return { message: { value }, transfer: [...buffers] }
}
