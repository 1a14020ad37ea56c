"""Feature maps of the Gaussian kernel in plain NumPy: two that conform, and their broken twins."""

from typing import ClassVar

import numpy as np


class Cosines:
    """sqrt(2 / s) cos(x^T w + b), the plain one."""

    amplitude, narrower, root = 2.0, 1.0, 0.5

    def __init__(self, gamma=0.5, n_components=8, random_state=0):
        self.gamma, self.n_components, self.random_state = gamma, n_components, random_state

    def get_params(self, deep=True):
        return {"gamma": self.gamma, "n_components": self.n_components, "random_state": self.random_state}

    def set_params(self, **parameters):
        vars(self).update(parameters)
        return self

    def fit(self, X, y=None):
        rng = np.random.default_rng(self.random_state)
        self.W = self.narrower * np.sqrt(2 * self.gamma) * rng.normal(size=(X.shape[1], self.n_components))
        self.b = rng.uniform(0, 2 * np.pi, self.n_components)
        return self

    def transform(self, X):
        phase = X @ self.W.astype(X.dtype) + self.b.astype(X.dtype)
        return np.cos(phase) * X.dtype.type(np.sqrt(self.amplitude) / self.n_components**self.root)


class Pairs(Cosines):
    """sqrt(1 / m) (cos(x^T w), sin(x^T w)) for m frequencies; an odd size is refused."""

    def fit(self, X, y=None):
        if self.n_components % 2:
            raise ValueError("pairs of cosine and sine take an even n_components")
        rng = np.random.default_rng(self.random_state)
        self.W = np.sqrt(2 * self.gamma) * rng.normal(size=(X.shape[1], self.n_components // 2))
        return self

    def transform(self, X):
        phase = X @ self.W.astype(X.dtype)
        return np.hstack([np.cos(phase), np.sin(phase)]) * X.dtype.type(np.sqrt(2 / self.n_components))


class Orthogonal(Cosines):
    """Frequencies with orthogonal directions, d at a time, and independent lengths."""

    def fit(self, X, y=None):
        super().fit(X)
        rng, d = np.random.default_rng(self.random_state), X.shape[1]
        blocks = [np.linalg.qr(rng.normal(size=(d, d)))[0] for _ in range(-(-self.n_components // d))]
        self.W = np.hstack(blocks)[:, : self.n_components] * np.linalg.norm(self.W, axis=0)
        return self


class WithoutSqrt2(Cosines):
    amplitude = 1.0


class WithoutSqrtS(Cosines):
    root = 0.0


class TooWide(Cosines):
    """A bandwidth 10 percent above the one asked for."""

    narrower = 1 / 1.1


class TooNoisy(Cosines):
    """Unbiased, but every frequency serves two features, so the variance is twice the stated one where it is not minute."""

    def fit(self, X, y=None):
        super().fit(X)
        half = (self.n_components + 1) // 2
        self.W, self.b = (np.concatenate([a[..., :half]] * 2, axis=-1)[..., : self.n_components] for a in (self.W, self.b))
        return self


class OneFrequency(Cosines):
    """Unbiased at every size, but more features are copies of one: no rate at all."""

    def fit(self, X, y=None):
        super().fit(X)
        self.W, self.b = np.repeat(self.W[:, :1], self.n_components, axis=1), np.repeat(self.b[:1], self.n_components)
        return self


class IgnoresSeed(Cosines):
    def fit(self, X, y=None):
        kept, self.random_state = self.random_state, 0
        super().fit(X)
        self.random_state = kept
        return self


class Unseeded(Cosines):
    def fit(self, X, y=None):
        kept, self.random_state = self.random_state, None
        super().fit(X)
        self.random_state = kept
        return self


class ChangesState(Cosines):
    """Each transform moves the offsets."""

    def transform(self, X):
        phi = super().transform(X)
        self.b = self.b + 0.1
        return phi


class SeesTheBatch(Cosines):
    def transform(self, X):
        return super().transform(X - X.mean(axis=0))


class Centred(Cosines):
    """Bandwidth and seed as asked, but fit takes a mean from the data."""

    def fit(self, X, y=None):
        super().fit(X)
        self.b = self.b + X.mean()
        return self


class Overflows(Cosines):
    """cos by its complex exponential, with a factor that float32 does not hold where x is large."""

    def transform(self, X):
        large = np.exp(np.minimum(4 * X * X, X.dtype.type(600))).sum(axis=1, keepdims=True)
        return super().transform(X) * (large / large)


class HalfPrecision(Cosines):
    def transform(self, X):
        phi = super().transform(X)
        return phi if X.dtype == np.float64 else phi.astype(np.float16).astype(X.dtype)


class RoundsSize(Cosines):
    """An odd size is silently made even."""

    def fit(self, X, y=None):
        self.n_components += self.n_components % 2
        return super().fit(X)


class WritesInput(Cosines):
    def transform(self, X):
        X *= 2
        return super().transform(X / 2)


class NotANumber(Cosines):
    def transform(self, X):
        return super().transform(X) + np.sqrt(-np.abs(X[:, :1]))


class Documented(Cosines):
    """Attributes as stated.

    Attributes
    ----------
    W : ndarray of shape (n_features, n_components), dtype=float64
        Frequencies.
    b : ndarray of shape \
            (n_components,)
        Offsets.

    Notes
    -----
    W : none of the attributes
    """


class Misdocumented(Cosines):
    """Attributes not as stated.

    Attributes
    ----------
    W : ndarray of shape (n_components, n_features)
    b : ndarray of shape (n_components,), dtype={np.float32, np.float16}
    """


class Fixed:
    """x itself: no randomness, no error for the linear kernel."""

    parameters: ClassVar[dict] = {}

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X.copy()


class Fails(Cosines):
    def fit(self, X, y=None):
        raise RuntimeError("no features\ntoday.")


class SeedOfItsOwn(Cosines):
    """Random, with no random_state to say how."""

    def __init__(self, gamma=0.5, n_components=8):
        super().__init__(gamma, n_components)
        self.random_state = None

    def get_params(self, deep=True):
        return {"gamma": self.gamma, "n_components": self.n_components}


class EightFeatures(Cosines):
    """There is no size to choose."""

    def __init__(self, gamma=0.5, random_state=0):
        super().__init__(gamma, 8, random_state)

    def get_params(self, deep=True):
        return {"gamma": self.gamma, "random_state": self.random_state}


def linear(X, Y, scale=1.0):
    return scale * X @ Y.T


def gaussian(X, Y, gamma=0.5):
    return np.exp(-gamma * ((X[:, None] - Y[None]) ** 2).sum(axis=2))


def transposed(X, Y):
    return np.ones((3, len(X)))


NO_CLASS = 3
