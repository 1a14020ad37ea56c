"""Connected components of a set of items that are linked by groups."""

from collections.abc import Iterable, Sequence


def components(size: int, groups: Iterable[Sequence[int]]) -> list[list[int]]:
    """Partition range(size) so that the members of each group fall into one part."""
    parent = list(range(size))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = item = parent[parent[item]]
        return item

    for group in groups:
        for member in group[1:]:
            parent[root(member)] = root(group[0])
    parts: dict[int, list[int]] = {}
    for item in range(size):
        parts.setdefault(root(item), []).append(item)
    return list(parts.values())
