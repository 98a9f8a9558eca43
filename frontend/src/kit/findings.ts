import type { PrintedEntry } from '@/vault/entry-tree'
import type { CloudReport } from '@/vault/reports'
import type { Recovery } from '@/vault/rescue'
import type { RescuedSpace } from '@/vault/rescued-space'
import { t } from './texts'

export function titleOf(space: RescuedSpace): string {
  const name = space.name || t('spaces.unnamed', { id: space.space })
  return space.history === 1 ? name : t('spaces.otherHistory', { name, number: space.history })
}

/** What is known to be missing or wrong in a space before any file is read. */
export function spaceFindings(space: RescuedSpace, printed: PrintedEntry | undefined): string[] {
  const findings: string[] = []
  if (space.isPrinted === false) findings.push(t('findings.notPrinted', { sequence: printed?.sequence ?? 0 }))
  const counts = {
    missing: space.missing.length,
    withoutKey: space.withoutKey.length,
    setAside: space.setAside.length,
    missingGrants: space.missingGrants.length,
    leftOver: space.leftOver.length,
  }
  for (const [name, count] of Object.entries(counts)) {
    if (count > 0) findings.push(t(`findings.${name as keyof typeof counts}`, { count }))
  }
  if (space.needsNewerProgram) findings.push(t('findings.newerProgram'))
  if (space.last.sequence > space.readTo.sequence) {
    findings.push(t('findings.replaced', { sequence: space.readTo.sequence }))
  }
  return findings
}

/** How far each copy goes, where they differ. */
export function copyFindings(
  space: RescuedSpace,
  clouds: readonly CloudReport[],
  formatTime: (time: bigint) => string,
) {
  const { last, ends } = space
  const furthest = clouds.filter((_, at) => ends[at]?.sequence === last.sequence).map(({ name }) => name)
  const others = clouds.flatMap(({ name: cloud }, at) => {
    const end = ends[at]
    if (!end) return [t('spaces.absent', { cloud })]
    if (end.sequence === last.sequence) return []
    return [t('spaces.behind', { cloud, sequence: end.sequence, time: formatTime(end.time) })]
  })
  return others.length === 0 ? [] : [t('spaces.newest', { clouds: furthest.join(', ') }), ...others]
}

/** Not wrong, but good to know: why some of what was chosen does not show up. */
export function foreignFindings({ foreignClouds }: Recovery): string[] {
  return foreignClouds.map((cloud) => t('findings.foreign', { cloud }))
}

/** What is wrong beyond single spaces. It grows while files are read. */
export function recoveryFindings({ newerKits, strangeSpaces, unknownPacks, clouds }: Recovery): string[] {
  const findings: string[] = []
  if (newerKits.length > 0) findings.push(t('findings.newerKits', { kits: newerKits.join(', ') }))
  if (strangeSpaces.length > 0) findings.push(t('findings.strangeSpaces', { count: strangeSpaces.length }))
  if (unknownPacks.length > 0) findings.push(t('findings.unknownPacks', { count: unknownPacks.length }))
  for (const { name: cloud, problems } of clouds) {
    const damaged = problems.filter(({ problem }) => problem === 'damaged').length
    if (damaged > 0) findings.push(t('findings.damaged', { cloud, count: damaged }))
    if (damaged < problems.length) findings.push(t('findings.lied', { cloud, count: problems.length - damaged }))
  }
  return findings
}
