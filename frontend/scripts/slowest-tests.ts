import type { Reporter, TestCase } from 'vitest/node'

const shown = 20
const kinds = [
  { name: 'component tests', ending: '.tsx', budget: 300 },
  { name: 'unit tests', ending: '.ts', budget: 50 },
]

const timeOf = (test: TestCase) => test.diagnostic()?.duration ?? 0

/** Prints the time of each kind of test and the slowest tests, after the summary. */
export const slowestTests: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const lines = kinds.map(({ name, ending, budget }) => {
      const times = tests.filter((test) => test.module.moduleId.endsWith(ending)).map(timeOf)
      const seconds = times.reduce((sum, time) => sum + time, 0) / 1000
      const over = times.filter((time) => time > budget).length
      return `${times.length} ${name}: ${seconds.toFixed(1)} s, ${over} over ${budget} ms`
    })
    const slowest = tests
      .sort((one, other) => timeOf(other) - timeOf(one))
      .slice(0, shown)
      .map((test) => `${timeOf(test).toFixed(0).padStart(6)} ms  ${test.module.relativeModuleId} > ${test.fullName}`)
    console.log(['', ...lines, `The ${slowest.length} slowest tests:`, ...slowest, ''].join('\n'))
  },
}
