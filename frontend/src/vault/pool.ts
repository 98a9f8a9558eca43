import { type Bytes } from '@/crypto/bytes'
import type { PackJob, PackResult } from './pack-jobs'

/** What a worker is asked, and what it answers. */
export type WorkerTask = { type: 'pack'; job: PackJob } | { type: 'stretch'; secret: Bytes; salt: Bytes }
export type WorkerAnswer = { value: PackResult | Bytes } | { failure: string }

type Waiting = { task: WorkerTask; resolve: (answer: WorkerAnswer) => void }

/** Runs tasks in a few workers. `makeWorker` starts one; see README.md for a page that is opened from disk. */
export class WorkerPool {
  readonly #idle: Worker[] = []
  readonly #all: Worker[] = []
  readonly #waiting: Waiting[] = []

  constructor(
    readonly makeWorker: () => Worker,
    readonly size = Math.min(2, Math.max(1, navigator.hardwareConcurrency - 1)),
  ) {}

  readonly openPack = async (job: PackJob): Promise<PackResult> =>
    (await this.#run({ type: 'pack', job })) as PackResult

  readonly stretch = async (secret: Bytes, salt: Bytes): Promise<Bytes> =>
    (await this.#run({ type: 'stretch', secret, salt })) as Bytes

  /** Ends the workers and, with them, their copies of keys. Tasks that wait are never answered. */
  close(): void {
    for (const worker of this.#all) worker.terminate()
    this.#all.length = this.#idle.length = this.#waiting.length = 0
  }

  async #run(task: WorkerTask): Promise<PackResult | Bytes> {
    const answer = await new Promise<WorkerAnswer>((resolve) => {
      this.#waiting.push({ task, resolve })
      this.#next()
    })
    if ('failure' in answer) throw new Error(answer.failure)
    return answer.value
  }

  #next(): void {
    const worker = this.#idle.pop() ?? this.#start()
    const waiting = worker && this.#waiting.shift()
    if (!worker) return
    if (!waiting) {
      this.#idle.push(worker)
      return
    }
    const finish = (answer: WorkerAnswer): void => {
      waiting.resolve(answer)
      this.#idle.push(worker)
      this.#next()
    }
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => finish(data)
    worker.onmessageerror = () => finish({ failure: 'The answer of a worker could not be read.' })
    worker.onerror = () => finish({ failure: 'A worker could not be started.' })
    worker.postMessage(waiting.task)
  }

  #start(): Worker | null {
    if (this.#all.length >= this.size || this.#waiting.length === 0) return null
    const worker = this.makeWorker()
    this.#all.push(worker)
    return worker
  }
}
