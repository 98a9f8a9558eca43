/**
 * `damaged`: an object is cut off or changed. The others are lies: a shard with a right hash that is not what the log
 * says, grants with a wrong hash, an entry that the rules refuse, a segment under the name of another space, a log that
 * the pair did not sign.
 */
export type CloudProblem = 'damaged' | 'lie' | 'wrongGrants' | 'refusedEntry' | 'misplacedSegment' | 'strangeLog'

export type CloudReport = { name: string; problems: { object: string; problem: CloudProblem }[] }

/** What is wrong in each warehouse, each thing once. */
export class Reports {
  readonly clouds: CloudReport[]
  readonly #known = new Set<string>()

  constructor(names: readonly string[]) {
    this.clouds = names.map((name) => ({ name, problems: [] }))
  }

  has(cloud: number, object: string, problem: CloudProblem): boolean {
    return this.#known.has(keyOf(cloud, object, problem))
  }

  add(cloud: number, object: string, problem: CloudProblem): void {
    const key = keyOf(cloud, object, problem)
    if (this.#known.has(key)) return
    this.#known.add(key)
    this.clouds[cloud]?.problems.push({ object, problem })
  }
}

function keyOf(cloud: number, object: string, problem: CloudProblem): string {
  return `${cloud} ${problem} ${object}`
}
