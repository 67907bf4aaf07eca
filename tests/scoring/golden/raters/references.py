"""`python references.py` in this folder prints the reference figures of raters.json by statsmodels and crowd-kit.

Needs statsmodels, pandas and crowd-kit, which nothing else here needs.
"""

import crowdkit
import numpy as np
import pandas
import statsmodels
from crowdkit.aggregation import MACE, DawidSkene
from statsmodels.multivariate.factor import Factor
from statsmodels.regression.mixed_linear_model import MixedLM

print("statsmodels", statsmodels.__version__, "crowd-kit", crowdkit.__version__)
sparse = pandas.read_csv("sparse.csv")
levels = {"item": "0 + C(item)", "annotator": "0 + C(annotator)"}
fitted = MixedLM.from_formula("value ~ 1", groups=np.ones(len(sparse)), vc_formula=levels, re_formula="0", data=sparse)
found = fitted.fit(reml=True)
print("variances", dict(zip(found.model.exog_vc.names, found.vcomp, strict=True)), found.scale)
print("fixed", found.fe_params.to_list(), "criterion", -2 * found.llf)

complete = pandas.read_csv("complete.csv").pivot(index="item", columns="annotator", values="value")
factor = Factor(complete.to_numpy(), 1, method="ml").fit()
deviations = complete.std(ddof=0).to_numpy()
print("loadings", (factor.loadings[:, 0] * deviations).tolist(), "noises", (factor.uniqueness * deviations**2).tolist())

answers = pandas.read_csv("answers.csv").set_axis(["task", "worker", "label"], axis=1)
shares = DawidSkene(n_iter=500, tol=-1).fit_predict_proba(answers).sort_index()[[0, 1, 2]]
print("dawid_skene", np.round(shares.to_numpy(), 6).tolist())
# MACE of crowd-kit 1.4.2 mixes up labels and workers that do not first occur in ascending order.
answers = answers.sort_values(["label", "worker"], kind="stable")
shares = MACE(n_restarts=1, n_iter=1000).fit_predict_proba(answers).sort_index()[[0, 1, 2]]
print("mace", np.round(shares.to_numpy(), 6).tolist())
