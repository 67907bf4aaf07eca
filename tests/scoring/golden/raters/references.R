# `Rscript references.R` in this folder prints the reference figures of raters.json that R computes.
suppressMessages({library(lme4); library(ordinal)})
show <- function(name, values) cat(name, sprintf("%.10g", as.numeric(values)), "\n")
cat(R.version.string, "lme4", as.character(packageVersion("lme4")), "ordinal", as.character(packageVersion("ordinal")), "\n")
sparse <- read.csv("sparse.csv")
plain <- lmer(value ~ 1 + (1 | item) + (1 | annotator), sparse, control = lmerControl(optCtrl = list(ftol_abs = 1e-14, xtol_abs = 1e-12)))
full <- lmer(value ~ order + context + (1 | item) + (1 | annotator), sparse, control = lmerControl(optCtrl = list(ftol_abs = 1e-14, xtol_abs = 1e-12)))
for (name in c("plain", "full")) {
  fit <- get(name)
  show(paste0(name, ".variances"), as.data.frame(VarCorr(fit))$vcov)
  cat(paste0(name, ".groups"), as.data.frame(VarCorr(fit))$grp, "\n")
  show(paste0(name, ".criterion"), REMLcrit(fit))
  show(paste0(name, ".fixed"), fixef(fit))
  show(paste0(name, ".fixed_errors"), sqrt(diag(as.matrix(vcov(fit)))))
  show(paste0(name, ".items"), ranef(fit)$item[1:5, 1])
  show(paste0(name, ".annotators"), ranef(fit)$annotator[, 1])
}
sparse$category <- factor(sparse$value, ordered = TRUE)
sparse$annotator <- factor(sparse$annotator)
tight <- clmm.control(gradTol = 1e-8, maxIter = 500)
for (name in c("common", "shifted")) {
  fit <- if (name == "common") clmm(category ~ 1 + (1 | item), data = sparse, nAGQ = 40, control = tight) else
    clmm(category ~ annotator + (1 | item), data = sparse, nAGQ = 40, control = tight)
  show(paste0(name, ".thresholds"), fit$alpha)
  show(paste0(name, ".shifts"), fit$beta)
  show(paste0(name, ".spread"), unlist(fit$ST))
  show(paste0(name, ".log_likelihood"), fit$logLik)
}
complete <- read.csv("complete.csv")
wide <- reshape(complete, idvar = "item", timevar = "annotator", direction = "wide")[, -1]
found <- factanal(wide, 1, control = list(opt = list(factr = 10, maxit = 10000)), nstart = 5)
deviations <- sqrt(colMeans(scale(wide, scale = FALSE)^2))
show("factor.loadings", found$loadings * deviations)
show("factor.noises", found$uniquenesses * deviations^2)
show("factor.means", colMeans(wide))
