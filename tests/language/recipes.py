"""For each function, method and construct of the language, expressions that use it; each argument that is read stands in one.

A line has the kind of what it makes, and its text; what stands in braces is another expression of that kind:

    s, p, c   a number, a positive one, one between -1 and 1      v, u, w   a vector, a positive one, one of whole numbers
    n, k, i   a whole number, one from 0 to 4, a place            t, q      truth values of a vector, one
    M, D      a square matrix, a positive definite one            L, N      a list of numbers, of whole ones
    S         a vector in increasing order                        o         anything

`K` is the length of all vectors. An `o` is made only as an end.
"""

from __future__ import annotations

EXPRESSIONS = """
s {s} + {s}
s {s} - {s}
s {s} * {c}
s {s} / {p}
s -{s}
s +{s}
s {c} ** {k}
s {p} ** {c}
s {s} // {p}
s {s} % {p}
s {n} / 7
s ({s} if {q} else {s})
s {v}[{i}]
s {v}[-1]
s {L}[{i}]
s {M}[{i}, {i}]
s {M}[{i}][{i}]
s {v} @ {v}
s (lambda a, b=2: a * b + {s})({s})
s (lambda *args: args[0] - args[-1])({s}, {s}, {c})
s (lambda a, /, *, b: a - b)({s}, b={c})
s [{s}, {s}][{n} % 2]
s {{0: {s}, 1: {s}}}[{n} % 2]
s {{"a": {s}, "b": {c}}}["b"]
s (walrus := {s}) + walrus
s sum(a for a in {v} if a > {c})
s sum(a * b for a, b in zip({v}, {L}))
s [a for a in {v}][-1]
s ({v} - {s})[{i}]
s ({s} and {c})
s ({k} or {s})
s {v}[np.argmax({v})]
p abs({s}) + 0.1
p 1 + {c} ** 2
p {p} * {p}
p {p} / {p}
p {p} + {k}
c np.tanh({s})
c {c} * {c}
c np.sin({s})
c {c} / (1 + {p})
n {n} + {n}
n {n} - {n}
n {n} * {k}
n {n} // ({k} + 1)
n -{n} // ({k} + 2)
n {n} % ({k} + 1)
n {n} % -({k} + 1)
n ({k} + 1) ** {k}
n ({n} if {q} else {n})
n {w}[{i}]
n {N}[{i}]
n len([a for a in {v} if a > 0])
n len({{a % 3 for a in {N}}})
n len({{a % 3: a for a in {N}}})
n [a for a in range(-2, 9, 3)][{k} % 4]
n sum(1 for a in {N} if 0 <= a < 3)
n len({L})
k {k} % 3
k abs({n}) % 5
k ({k} if {q} else 2)
v {v} + {v}
v {v} - {s}
v {s} * {v}
v {v} / {u}
v {u} ** {c}
v {v} ** {k}
v -{v}
v {v} % {p}
v {v} // {p}
v {M} @ {v}
v {v} @ {M}
v {M}[{i}]
v {M}[:, {i}]
v {M}[-1, :]
v {v}[::-1]
v {M}.T[{i}]
v {v}[{w_places}]
v np.array([a + {s} for a in {v}])
v np.array({L})
v np.array([a * k for k, a in enumerate({v})])
v ({v} if {q} else {v})
v {v}.real
v {w} * {s}
u abs({v}) + 0.2
u {u} * {p}
u {u} + {u}
u 1 + {v} ** 2
w {w} + {n}
w {w} * {k}
w {w} // ({k} + 1)
w {w} % ({k} + 1)
w np.array([{n} for _ in range(K)])
w np.array([a if a > 0 else -a for a in {N}])
t {v} > {s}
t {v} <= {v}
t {w} == {n}
t {v} != {s}
t {t} & {t}
t {t} | {t}
t {t} ^ {t}
t ~{t}
q {s} < {s}
q {s} >= {c}
q {n} == {n}
q {n} != {k}
q {c} < {s} < {p}
q 0 <= {n} < {k} + 3
q not {q}
q ({q} and {q})
q ({q} or {q})
q {n} in [1, 2, {n}]
q {n} not in {{1, 2}}
q {t}[{i}]
q {s} is not None
M {M} + {M}
M {M} * {c}
M {M} @ {M}
M {M}.T
M {M}.mT
M {M} - {v}
M {M} + {v}[:, None]
M {v} * {v}[:, None]
M {M}[::-1]
M {M}[:, ::-1]
M np.array([[{s} for j in range(K)] for i in range(K)])
M np.array([[i * {s} + j for j in range(K)] for i in range(K)])
D {D} + {p} * np.eye(K)
D {M} @ {M}.T + np.eye(K)
D {D}.T
L [{s} for _ in range(K)]
L list({v})
L [*{L}]
L {L}[:]
L [a + b for a, b in zip({L}, {L})]
L {L}[1:] + [{s}]
L {L}[::-1]
L [a if a > {c} else {c} for a in {L}]
N [{n} for _ in range(K)]
N [k * {n} for k in range(K)]
N [a % 4 for a in {N}]
N {N}[1:] + {N}[:1]
S np.sort({v})
S np.cumsum({u})
o {v}[1:]
o {v}[:-1]
o {v}[::2]
o {v}[-2:]
o {v}[{v} > {s}]
o {M}[:, None]
o {M}[None]
o {v}[..., None]
o {M}[:1, -1:]
o {v}.shape
o {M}.shape[0] * {s}
o {M}.ndim
o {M}.size
o {v}.imag
o ({s}, {c})
o [{v}, {v}]
"""
"""Operators, indices, conditional expressions, comprehensions and lambdas."""

FUNCTIONS = """
s abs({s})
n abs({n})
q all([{q}, {q}])
q all(a > {c} for a in {v})
q any({t})
q any(a == {n} for a in {N})
q bool({n})
s dict([(0, {s}), (1, {c})])[{n} % 2]
n divmod({n}, {k} + 1)[0]
n divmod({n}, {k} + 2)[1]
s divmod({s}, {p})[1]
s sum(k * a for k, a in enumerate({v}))
s sum(k * a for k, a in enumerate({L}, start=2))
s float({n})
s float({s})
n int({s})
n int({n})
n len({v})
n len({M})
L list(map(lambda a: a * {c}, {v}))
L list(map(lambda a, b: a - b, {L}, {L}))
s max({s}, {s})
s max({v})
s max({L}, key=lambda a: a * a)
n max([a for a in {N} if a > 90], default={n})
s min({s}, {s}, {c})
n min({N})
s min({v}, key=lambda a: -a)
n min([a for a in {N} if a > 90], default={k})
n pow({n}, {k})
n pow(int({n}), int({k}), 7)
s pow({c}, {k})
n pow(int({k}), int({k}), mod=5)
n sum(range({k}))
n sum(range(1, {k} + 2))
n sum(range({k}, -4, -2))
L list(reversed({L}))
n list(reversed(range(4)))[{k} % 4]
n round({s})
n round({n} / 4)
s round({s}, 2)
s round({s}, ndigits=1)
n len(set({N}))
s {v}[slice(None, None, -1)][0]
o {v}[slice(0, {k})]
L sorted({v})
L sorted({L}, reverse=True)
L sorted({v}, key=lambda a: -a)
N sorted({N})
s sum({L})
s sum({v}, start={s})
n sum({N}, {n})
s tuple({v})[-1]
s sum(a * b for a, b in zip({L}, {v}, strict=True))
n sum(a * b * c for a, b, c in zip({N}, range(9), {N}))
n len(list(itertools.chain({N}, range({k}))))
s sum(a * b for a, b in itertools.combinations({v}, 2))
n sum(a * b for a, b in itertools.combinations(range({k} + 2), r=2))
s sum(a * b for a, b in itertools.combinations_with_replacement({L}, 2))
n sum(a * b for a, b in itertools.combinations_with_replacement({N}, r=2))
s sum(b - a for a, b in itertools.pairwise({v}))
s sum(a - b for a, b in itertools.permutations({v}, 2))
n sum(a[0] * 10 + a[1] for a in itertools.permutations(range(3), r=2))
n sum(a * b for a, b in itertools.product({N}, repeat=2))
s sum(a * b for a, b in itertools.product({v}, range(2)))
s math.acos({c})
s math.asin({c})
s math.atan({s})
n math.ceil({s})
n math.ceil({n} / 3)
n math.comb({k} + 3, {k})
s math.cos({s})
s math.cosh({c})
s math.dist({v}, {L})
s math.erf({s})
s math.erfc({s})
s math.exp({c})
s math.expm1({c})
n math.factorial({k})
n math.floor({s})
n math.floor({n} / 3)
s math.fsum({L})
s math.gamma({p})
n math.gcd({n}, {n}, 12)
s math.hypot({s}, {s}, {c})
n math.isqrt(abs({n}))
n math.lcm({k} + 1, 6)
s math.lgamma({p})
s math.log({p})
s math.log({p}, 2)
s math.log10({p})
s math.log1p({p})
s math.log2({p})
n math.perm({k} + 2, {k})
s math.pow({p}, {c})
s math.prod({L})
n math.prod({N})
s math.sin({s})
s math.sinh({c})
s math.sqrt({p})
s math.tan({c})
s math.tanh({s})
n math.trunc({s})
v np.abs({v})
n np.abs({n})
v np.absolute({v})
v np.add({v}, {s})
q np.all({t})
q np.all({v} > {s})
o np.all({M} > {s}, axis=0)
q np.any({t})
o np.any({M} < {s}, axis=-1)
o np.append({v}, {s})
o np.append({M}, {M}, axis=0)
o np.append(arr={v}, values={L})
w np.arange(K)
w np.arange(1, K + 1)
w np.arange(0, 2 * K, 2)
o np.arange(0, 2, 0.25)
o np.arange(start={k}, stop=-3, step=-1)
v np.arccos({v} / (1 + np.abs({v}) + np.max(np.abs({v}))))
s np.arccos({c})
s np.arcsin({c})
v np.arctan({v})
s np.arctan2({s}, {p})
n np.argmax({v})
n np.argmax({w})
o np.argmax({M}, axis=0)
n np.argmin({v})
o np.argmin({M}, axis=1)
o np.argsort({v})
o np.argsort({M}, axis=0)
v np.array({L})
v np.array(object={v})
w np.array({N})
q np.array_equal({v}, {v})
q np.array_equal(a1={w}, a2={N})
v np.asarray({L})
v np.asarray(a={v})
o np.atleast_1d({s})
o np.atleast_2d({v})
s np.average({v})
s np.average({v}, weights={u})
o np.average({M}, axis=0)
o np.average(a={M}, axis=1, weights={u})
o np.block([[{M}, {M}], [{M}, {M}]])
M np.broadcast_to({v}, (K, K))
M np.broadcast_to({v}, shape=(K, K))
v np.cbrt({u})
v np.ceil({v})
s np.ceil({s})
v np.clip({v}, {c}, {c} + 1)
v np.clip({v}, a_min={c}, a_max=None)
s np.clip({s}, -1, {p})
M np.column_stack([{v} for _ in range(K)])
o np.column_stack(({v}, {M}))
o np.concatenate([{v}, {v}])
o np.concatenate([{M}, {M}], axis=1)
o np.concatenate(({L}, {v}), axis=0)
o np.convolve({v}, {v})
o np.convolve(a={v}, v={w})
v np.cos({v})
s np.cos({s})
s np.cosh({c})
n np.count_nonzero({t})
n np.count_nonzero({w})
o np.count_nonzero({M} > {s}, axis=1)
v np.cumprod({v})
o np.cumprod({M}, axis=1)
v np.cumsum({v})
w np.cumsum({w})
o np.cumsum({M}, axis=0)
o np.cumsum({M})
o np.delete({v}, {i})
o np.delete({M}, {i}, axis=0)
o np.delete(arr={v}, obj=-1)
M np.diag({v})
v np.diag({M})
o np.diag({v}, 1)
o np.diag({v}, k=-1)
o np.diag({M}, k=1)
v np.diagonal({M})
o np.diagonal({M}, offset=1)
o np.diagonal({M}[None], axis1=1, axis2=2)
o np.diff({v})
o np.diff({v}, n=2)
o np.diff({M}, axis=0)
v np.divide({v}, {p})
s np.dot({v}, {v})
v np.dot({M}, {v})
M np.dot(a={M}, b={M})
s np.einsum("i,i->", {v}, {v})
M np.einsum("ij,kj->ik", {M}, {M})
s np.einsum("ii", {M})
v np.einsum("ij->j", {M})
t np.equal({w}, {w})
v np.exp(np.tanh({v}))
s np.exp({c})
s np.exp2({c})
o np.expand_dims({v}, 0)
o np.expand_dims({v}, axis=-1)
s np.expm1({c})
M np.eye(K)
o np.eye(K, {k} + 1)
o np.eye(N=K, M=3, k=-1)
v np.fabs({v})
o np.flatnonzero({w})
o np.flatnonzero({t})
v np.flip({v})
M np.flip({M}, axis=0)
o np.flip({M})
v np.floor({v})
s np.floor({s})
w np.floor_divide({w}, {k} + 2)
s np.floor_divide({s}, {p})
v np.full(K, {s})
M np.full((K, K), {s})
w np.full(shape=K, fill_value={n})
v np.full_like({v}, {s})
v np.full_like(a={v}, fill_value={n})
t np.greater({v}, {s})
t np.greater_equal({v}, {v})
o np.hstack([{v}, {L}])
o np.hstack(({M}, {M}))
v np.hypot({v}, {s})
M np.identity(K)
v np.imag({v})
o np.indices((2, {k} + 1))
s np.inner({v}, {v})
M np.inner({M}, {M})
M {M}[np.ix_(range(K), range(K))]
o np.kron({v}, {v})
o np.kron({M}, np.eye(2))
t np.less({v}, {s})
t np.less_equal({w}, {n})
M np.linalg.cholesky({D})
s np.linalg.det({M})
v np.linalg.eigh({D})[0]
v np.linalg.eigvalsh({D})
s np.sum(np.linalg.eigvals({D}).real)
M np.linalg.inv({D})
M np.linalg.matrix_power({M}, {k})
n np.linalg.matrix_rank({D})
M np.linalg.multi_dot([{M}, {M}, {M}])
s np.linalg.norm({v})
s np.linalg.norm({M})
s np.linalg.norm({M}, 2)
s np.linalg.norm({v}, ord=1)
o np.linalg.norm({M}, axis=1)
o np.linalg.norm({M}, axis=0, keepdims=True)
s np.linalg.norm({v}, np.inf)
s np.linalg.norm({M}, "nuc")
M np.linalg.pinv({D})
s np.sum(np.linalg.qr({D})[1] ** 2)
s np.linalg.slogdet({D})[1]
v np.linalg.solve({D}, {v})
M np.linalg.solve(a={D}, b={M})
v np.linalg.svd({M})[1]
v np.linalg.svd({M}, compute_uv=False)
s np.sum(np.abs(np.linalg.svd({D}, full_matrices=False)[1]))
v np.linalg.svdvals({M})
o np.linspace({s}, {s} + 1, 5)
o np.linspace(0, {p}, num={k} + 2, endpoint=False)
o np.linspace(start={c}, stop=2, num=3)
v np.log({u})
s np.log({p})
s np.log10({p})
v np.log1p({u})
s np.log2({p})
s np.logaddexp({s}, {c})
t np.logical_and({t}, {t})
t np.logical_not({t})
t np.logical_or({t}, {v} > 0)
v np.matmul({M}, {v})
s np.max({v})
n np.max({w})
o np.max({M}, axis=0)
o np.max({M}, axis=1, keepdims=True)
v np.maximum({v}, {s})
s np.maximum({s}, {c})
s np.mean({v})
s np.mean({t})
s np.mean({w})
o np.mean({M}, axis=1)
o np.mean({M}, 0, keepdims=True)
s np.median({v})
s np.median({w})
o np.median({M}, axis=0)
o np.meshgrid({v}, {L})[1]
o np.meshgrid({v}, {w}, indexing="ij")[0]
s np.min({v})
o np.min({M}, axis=-1)
o np.min({M}, keepdims=True)
v np.minimum({v}, {v})
M np.moveaxis({M}, 0, 1)
o np.moveaxis({M}[None], source=0, destination=-1)
v np.multiply({v}, {v})
v np.negative({v})
o np.nonzero({w})[0]
o np.nonzero({t})[0]
t np.not_equal({w}, {n})
v np.ones(K)
o np.ones((K, 2))
o np.ones(shape={k})
v np.ones_like({v})
M np.outer({v}, {v})
o np.outer({v}, {L})
o np.poly({v})
s np.polyval({v}, {c})
v np.polyval(p={L}, x={v})
v np.power({u}, {c})
v np.power({v}, 2)
s np.prod({v})
n np.prod({w})
o np.prod({M}, axis=0)
o np.prod({M}, axis=1, keepdims=True)
s np.ptp({v})
o np.ptp({M}, axis=1)
o np.ravel({M})
v np.ravel({v})
v np.real({v})
v np.remainder({v}, {p})
w np.remainder({w}, {k} + 1)
o np.repeat({v}, 2)
o np.repeat({M}, repeats=2, axis=0)
o np.repeat({v}, np.arange(K))
o np.reshape({M}, -1)
o np.reshape({v}, (1, K))
M np.reshape(np.concatenate([{v} for _ in range(K)]), shape=(K, K))
v np.rint({v})
v np.roll({v}, 1)
M np.roll({M}, shift=-1, axis=0)
o np.roll({M}, 1)
s np.sum(np.abs(np.roots([1, {s}, {c}])) ** 2)
v np.round({v})
v np.round({v}, 2)
s np.round({s}, decimals=1)
n np.searchsorted({S}, {s})
o np.searchsorted({S}, {v}, side="right")
n np.searchsorted(a={S}, v={s}, side="left")
o np.shape({M})
n np.shape({v})[0]
v np.sign({v})
s np.sign({s})
v np.sin({v})
s np.sinh({c})
n np.size({M})
n np.size({M}, axis=0)
v np.sort({v})
w np.sort({w})
o np.sort({M}, axis=0)
o np.sort({M})
v np.sqrt({u})
s np.sqrt({p})
v np.square({v})
o np.squeeze({v}[None])
o np.squeeze({M}[None, :, None], axis=0)
M np.stack([{v} for _ in range(K)])
o np.stack([{v}, {L}], axis=1)
o np.stack(arrays=({v}, {v}), axis=-1)
s np.std({v})
o np.std({M}, axis=0)
o np.std({M}, axis=1, ddof=0, keepdims=True)
v np.subtract({v}, {v})
s np.sum({v})
n np.sum({w})
n np.sum({t})
o np.sum({M}, axis=0)
o np.sum({M}, axis=1, keepdims=True)
o np.sum({M} > {s}, axis=0)
M np.swapaxes({M}, 0, 1)
o np.swapaxes({M}[None], axis1=0, axis2=-1)
v np.take({v}, {w_places})
s np.take({M}, {i})
o np.take({M}, indices=[0, -1], axis=1)
s np.tan({c})
v np.tanh({v})
o np.tile({v}, 2)
o np.tile({v}, (2, 1))
o np.tile(A={M}, reps=(1, 2))
s np.trace({M})
M np.transpose({M})
o np.transpose({M}[None], (2, 0, 1))
o np.transpose({M}[None], axes=(1, 0, 2))
s np.trapezoid({v})
s np.trapezoid({v}, {S})
s np.trapezoid(y={v}, dx=0.5)
s np.trapezoid({v}, x={S})
M np.tri(K)
o np.tri(K, 3, -1)
o np.tri(N=2, M={k} + 1, k=1)
M np.tril({M})
M np.tril({M}, k=-1)
o {M}[np.tril_indices(K)]
o {M}[np.tril_indices(n=K, k=-1, m=K)]
M np.triu({M})
M np.triu({M}, 1)
o {M}[np.triu_indices(K, 1)]
o {M}[np.triu_indices(n=K, k=0, m=K)]
o np.unique({w})
o np.unique(np.array({N}))
o np.vander({v})
o np.vander({v}, N=3)
s np.var({v})
s np.var({S}, ddof=0)
o np.var({M}, axis=0, keepdims=True)
s np.vdot({v}, {v})
M np.vstack([{v} for _ in range(K)])
o np.vstack(({M}, {v}))
v np.where({t}, {v}, {s})
v np.where({v} > {s}, {v}, -{v})
s np.where({q}, {s}, {c}) + 0
w np.where({t}, 1, 0)
o np.where({t})[0]
v np.zeros(K)
o np.zeros((2, K))
v np.zeros_like({v})
M linalg.expm(np.tanh({M}))
n special.comb({k} + 3, {k}) + 0
s special.comb(N=5, k={k}) + 0
s special.digamma({p})
v special.entr({u})
s special.erf({s})
v special.erfc({v})
v special.expit({v})
s special.factorial({k}) + 0
s special.gamma({p})
v special.gammaln({u})
v special.kl_div({u}, {u})
s special.log_ndtr({s})
s special.logit((1 + {c}) / 2)
s special.logsumexp({v})
s special.ndtr({s})
s special.ndtri((1 + {c} / 2) / 2)
s special.psi({p})
v special.rel_entr({u}, {u})
v special.softmax({v})
s special.xlog1py({p}, {p})
v special.xlogy({u}, {u})
s special.xlogy(0, {k})
"""
"""Functions of the table."""

METHODS = """
q {t}.all()
o ({M} > {s}).all(axis=0)
q {t}.any()
o ({M} > {s}).any(axis=1)
n {v}.argmax()
o {M}.argmax(axis=0)
n {v}.argmin()
o {M}.argmin(axis=1)
v {w}.astype(float)
v {v}.astype(dtype=float)
v {v}.clip({c}, {c} + 1)
v {v}.clip(min={c}, max={p})
v {v}.copy()
v {v}.cumprod()
o {M}.cumprod(axis=0)
v {v}.cumsum()
o {M}.cumsum(axis=1)
v {M}.diagonal()
s {v}.dot({v})
v {v}.dot(b={M})
o {M}.flatten()
n sum(k * a for k, a in {{2: {n}, 3: {n}}}.items())
n sum({{2: {n}, 3: {n}}}.keys())
n sum({{2: {n}, 3: {n}}}.values())
s {v}.max()
o {M}.max(axis=0)
o {M}.max(axis=1, keepdims=True)
s {v}.mean()
s {t}.mean()
o {M}.mean(axis=0)
o {M}.mean(axis=1, keepdims=True)
s {v}.min()
n {w}.min()
o {M}.min(axis=0, keepdims=True)
o {t}.nonzero()[0]
s {v}.prod()
n {w}.prod()
o {M}.prod(axis=1, keepdims=True)
o {M}.ravel()
o {v}.repeat(2)
o {M}.repeat(repeats=2, axis=1)
o {M}.reshape(-1)
o {v}.reshape(1, K)
o {M}.reshape((1, K, K))
v {v}.round()
v {v}.round(decimals=1)
s {v}.std()
o {M}.std(axis=0, ddof=0, keepdims=True)
s {v}.sum()
n {t}.sum()
n {w}.sum()
o {M}.sum(axis=0)
o {M}.sum(axis=1, keepdims=True)
s {M}.trace()
M {M}.transpose()
o {M}[None].transpose(1, 0, 2)
s {v}.var()
o {M}.var(axis=1, ddof=0, keepdims=True)
"""
"""Methods of arrays and dictionaries; those that change a list stand among the statements."""

STATEMENTS = """
{s}: $ = {s}
{n}: $ = {n}
{v}: $ = {v}
{M}: $ = {M}
{t}: $ = {t}
{s}: $: float = {s}
{s}: $, _ = {s}, {c}
{s}: _, ($, *_) = {n}, [{s}, {s}, {c}]
{s}: *_, $ = {v}
{s}: $, *_ = {v}
{s}: [$, _] = ({s}, {s})
{s}: $ = other = {s}
{s}: $ = {s}
    $ += {s}
{s}: $ = {s}
    $ -= {c}
    $ *= {c}
{s}: $ = {s}
    $ /= {p}
{s}: $ = {s}
    $ %= {p}
{n}: $ = {n}
    $ += {n}
    $ *= 2
{n}: $ = {n}
    $ //= 2
    $ %= 3
{n}: $ = {k}
    $ **= 2
{v}: $ = np.zeros(K)
    $ += {v}
{v}: $ = {v} + 1
    $ *= {c}
{v}: $ = np.zeros(K)
    $[{i}] = {s}
{v}: $ = np.zeros(K)
    $[{i}] += {s}
    $[-1] -= {c}
{v}: $ = np.ones(K)
    $[1:] = {s}
{v}: $ = np.ones(K)
    $[::2] += {c}
{v}: $ = {v}.copy()
    $[0] = {s}
    $[-1] = $[0] + {n}
{v}: $ = np.full(K, {c})
    $[{i}] = {n}
{v}: $ = np.zeros_like({v})
    $[:] = {v}
{M}: $ = np.zeros((K, K))
    $[{i}, {i}] = {s}
    $[0] = {v}
{M}: $ = np.eye(K)
    $[:, {i}] += {v}
{M}: $ = {M}.copy()
    $[{i}][{i}] = {c}
{v}: $ = np.zeros(K)
    for j in range(K):
        $[j] = j * {s} + {c}
{v}: $ = np.ones(K)
    for j in range(1, K):
        $[j] = $[j - 1] * {c} + j
{M}: $ = np.zeros((K, K))
    for a in range(K):
        for b in range(a, K):
            $[a, b] = {s} * a + b
            $[b, a] = $[a, b]
{s}: $ = 0
    for a in {v}:
        $ += a * {c}
{s}: $ = 0
    for a, b in zip({v}, {L}):
        $ = $ + a * b
{s}: $ = {s}
    for j in range({k}):
        $ = $ * {c} + j
{n}: $ = 0
    for j in range(9):
        if j == {k}:
            break
        if j % 2:
            continue
        $ += j
{n}: $ = 0
    for a in {N}:
        if a > {n}:
            $ = a
            break
    else:
        $ = -1
{n}: $ = abs({n})
    while $ > 4:
        $ //= 2
{n}: $, j = 0, {k}
    while j:
        j -= 1
        $ += j * j
    else:
        $ += 1
{s}: $ = {s}
    while abs($) > 1:
        $ = $ / 2
{s}: if {q}:
        $ = {s}
    else:
        $ = {c}
{s}: if {s} > {c}:
        $ = {s}
    elif {n} > 2:
        $ = {c}
    else:
        $ = 0
{s}: $ = {s}
    if {q}:
        $ = -$
{L}: $ = []
    for a in {v}:
        $.append(a + {c})
{L}: $ = list({v})
    $.append({s})
    $.pop(0)
{L}: $ = [{s}]
    $.extend({L})
    $.pop()
{L}: $ = list({v})
    $.insert(0, {s})
    $.pop(1)
{L}: $ = [{s}] * K
    $[{i}] = {c}
{L}: $ = {L}
    shared = $
    $ = [*$]
{N}: $ = [0] * K
    $[{i}] += {n}
{n}: table = {{}}
    for a in {N}:
        table[a % 3] = a
    $ = sum(table.values())
{n}: rows = [[0] * K for _ in range(2)]
    rows[1][{i}] = {n}
    $ = rows[0][0] + rows[1][{i}]
{n}: rows = [[0] * K] * 2
    rows[1][{i}] = {n}
    $ = rows[0][{i}]
{s}: def $_f(a, b={c}):
        return a * b + {s}
    $ = $_f({s}) - $_f(b={s}, a=2)
{s}: def $_f(a, *rest, scale=2):
        return scale * a + sum(rest)
    $ = $_f({s}, {c}, {c}, scale={k})
{s}: step = {s}
    def $_f(a):
        return a + step
    step = {c}
    $ = $_f({s})
{s}: step = {s}
    def $_f(a, step=step):
        return a + step
    step = {c}
    $ = $_f({s})
{n}: def $_f(a):
        return 1 if a <= 1 else a * $_f(a - 1)
    $ = $_f({k})
{n}: fs = [lambda a: a + j for j in range(3)]
    $ = fs[0]({n})
{n}: fs = [lambda a, j=j: a + j for j in range(3)]
    $ = fs[1]({n})
{s}: def $_f(a):
        def inner(b):
            return a * b
        return inner
    $ = $_f({s})({c})
{s}: def $_f(a):
        if a > {c}:
            return {s}
        return a
    $ = $_f({s})
{s}: def $_f(a):
        for b in {v}:
            if b > a:
                return b
        return a
    $ = $_f({s})
{n}: total = 0
    sums = [total := total + a for a in {N}]
    $ = total + sums[0]
{n}: if (walrus := {k}) > 1:
        $ = walrus
    else:
        $ = 10 + walrus
{n}: j = 7
    _ = [j for j in range(3)]
    $ = j
{n}: for j in range({k} + 1):
        pass
    $ = j
{s}: sum_ = max
    $ = sum_({s}, {c})
{s}: $ = helper({s}, {c})
{v}: $ = helper({v}, {s})
{s}: $ = LENGTH * {s} + sum(TABLE)
{s}: $ = beside.scaled({s}) + scaled(by=2, a={c})
{n}: $ = STEPS + beside.SIZES[{k} % 3]
{v}: a = {v}
    b = a + 1
    $ = b - a
{s}: a, b = {s}, {c}
    a, b = b, a
    $ = a - 2 * b
{s}: a = {s}
    b = a
    a = a + 1
    $ = a * b
{v}: a = np.zeros(K)
    a[0] = {s}
    b = a.copy()
    b[0] = 7
    $ = a + b
"""
"""Statements that make a local variable `$`, the kind of it first."""

ALIASES = """
{v}: a = np.zeros(K)
    b = a
    a[0] = {s}
    $ = b
{v}: a = {v}
    a += 1
    $ = a
{v}: a = np.zeros((K, K))
    row = a[0]
    a[0, 0] = {s}
    $ = row
{v}: a = np.zeros(K)
    b = a[:]
    b += {s}
    $ = a
{v}: a = np.zeros(K)
    b = [a]
    b[0][0] = {s}
    $ = a
{v}: a = np.zeros(K)
    b = (a if {q} else a)
    b[0] = 3
    $ = a
{v}: a = np.zeros(K)
    for row in [a, a]:
        row[0] = {s}
    $ = a
{v}: def $_f(z):
        z[0] = {s}
        return z
    a = np.ones(K)
    $ = a + $_f(a)
{v}: a = np.asarray({v})
    a[0] = 5
    $ = a
{v}: a = np.reshape(np.zeros((1, K)), K)
    a[0] = {s}
    $ = a
{v}: a = np.zeros((1, K))
    b = a.reshape(K)
    a[0, 0] = {s}
    $ = b
{v}: a = {w}
    a[0] = {c}
    $ = a
{v}: a = np.array({N})
    a[0] = {s}
    $ = a
{v}: a = np.full(K, {n})
    a[0] = {c}
    $ = a
{v}: a = np.full_like({w}, {c})
    $ = a + 0
{v}: a = np.zeros_like({w})
    a[-1] = {s}
    $ = a
{v}: a = {w}.copy()
    a[{i}] = {s}
    $ = a
{v}: a = np.ones(K)
    a[[0, 0]] += {s}
    $ = a
{v}: a = np.zeros(K)
    a[{v} > {c}] = {s}
    $ = a
{v}: a = np.zeros(K)
    a[{w_places}] = {v}
    $ = a
{v}: a = np.zeros(K, dtype=int)
    a[0] = {s}
    $ = a
{s}: a = np.max({v}) * np.ones(())
    $ = a + 1
{M}: a = np.zeros((K, K))
    a[np.arange(K), np.arange(K)] = {v}
    $ = a
{M}: a = np.zeros((K, K))
    a[-1] = a[0] + {v}
    a[0] += 1
    $ = a
{s}: a = np.zeros(K)
    a[0] = {s}
    b = a[0]
    a[0] = 7
    $ = b
{v}: a = np.zeros(K)
    b = a + 0
    a[0] = {s}
    $ = b
{L}: a = list({v})
    b = a
    b[0] = {s}
    $ = a
{N}: a = {N}
    b = a
    b.append({n})
    b.pop(0)
    $ = a
{v}: a = np.zeros((2, 2, K))
    row = a[0][1]
    a[0, 1, 0] = {s}
    $ = row
{v}: a = np.zeros((2, K))
    row = {q} and a[0]
    a[0, 0] = {s}
    $ = row + np.zeros(K)
{v}: a = np.zeros((2, K))
    rows = list(a)
    a[0, 0] = {s}
    $ = rows[0]
{v}: a = np.zeros((2, K))
    rows = tuple(a)
    a[0, 0] = {s}
    $ = rows[0]
{v}: a = np.zeros((2, K))
    rows = [0, 0]
    rows[0] = a[1]
    a[1, 0] = {s}
    $ = rows[0]
{v}: a = np.zeros((2, K))
    row = max(a, key=lambda b: b[0])
    a[0, 0] = {s}
    $ = row
{v}: a = np.zeros((2, K))
    for number, row in enumerate(a):
        a[0, 0] = {s}
    $ = row
{v}: a = b = np.zeros(K)
    a[0] = {s}
    $ = b
{v}: a = np.zeros((2, K))
    a[1] = a[0]
    a[0, 0] = {s}
    $ = a[1]
{v}: a = np.zeros((2, K))
    row = (lambda z: z[0])(a)
    a[0, 0] = {s}
    $ = row
{v}: a = np.zeros((2, K))
    row = a.T[:, 0]
    a[0, 0] = {s}
    $ = row
{v}: a = np.zeros(K)
    b = np.atleast_1d(a)
    a[0] = {s}
    $ = b
{v}: a = np.zeros(K)
    b = np.real(a)
    a[0] = {s}
    $ = b
{v}: a = np.zeros((K, K))
    b = np.diagonal(a)
    a[0, 0] = {s}
    $ = b
{v}: a = [np.zeros(K)] * 2
    a[0][0] = {s}
    $ = a[1]
"""
"""The same where something else may see a change: refused, or read as it is."""

DRAWS = """
beta a=2.0, b={p}, size=(size, 2)
binomial n=3, p={h}, size=(size, 2)
chisquare df=3, size=(size, 2)
choice a=[1.0, {s}, 3], size=(size, 2), replace=True, p=[0.2, 0.3, 0.5]
choice a=4, size=size, axis=0
dirichlet alpha=[1.0, 2.0], size=size
exponential scale={p}, size=(size, 2)
f dfnum=3, dfden=5, size=(size, 2)
gamma shape={p}, scale={p}, size=(size, 2)
geometric p={h}, size=(size, 2)
gumbel loc={s}, scale={p}, size=(size, 2)
hypergeometric ngood=3, nbad={k} + 1, nsample=2, size=(size, 2)
integers low=0, high={k} + 2, size=(size, 2), endpoint=True
integers low=4, size=size
laplace loc={s}, scale={p}, size=(size, 2)
logistic loc={s}, scale={p}, size=(size, 2)
lognormal mean={s}, sigma=0.5, size=(size, 2)
multinomial n=3, pvals=[{h}, 1 - {h}], size=size
multivariate_hypergeometric colors=[2, 3], nsample=2, size=size
multivariate_normal mean=[{s}, 0.0], cov=[[2.0, 0.5], [0.5, 1.0]], size=size
negative_binomial n=2, p={h}, size=(size, 2)
normal loc={s}, scale={p}, size=(size, 2)
pareto a={p} + 3, size=(size, 2)
permutation x=3, axis=0
permuted x=np.tile([1.0, 2.0, {s}], (size, 1)), axis=1
poisson lam={p}, size=(size, 2)
power a={p}, size=(size, 2)
random size=(size, 2)
rayleigh scale={p}, size=(size, 2)
standard_cauchy size=(size, 2)
standard_exponential size=(size, 2)
standard_gamma shape={p}, size=(size, 2)
standard_normal size=(size, 2)
standard_t df=4, size=(size, 2)
triangular left=-1, mode=0, right={p}, size=(size, 2)
uniform low={s} - 3, high={s}, size=(size, 2)
vonmises mu={s}, kappa=2, size=(size, 2)
wald mean={p}, scale=1, size=(size, 2)
weibull a={p}, size=(size, 2)
zipf a=4.0, size=(size, 2)
"""
"""Draws, each with all of the arguments that are read."""
