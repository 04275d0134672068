package workers

import "github.com/rollcall-dev/rollcall/worker"

// say holds the texts of ImportProduct in languages other than English.
var say = []worker.Option{
	worker.Messages("ru", map[string]string{
		"BRAND_UNKNOWN":            "Бренда «{brand}» нет",
		"BRAND_UNKNOWN.hint":       "Известные бренды: {brands}",
		"BRAND_UNKNOWN.title":      "Неизвестный бренд",
		"PRICE_NOT_POSITIVE.title": "Недопустимая цена",
		"PRICE_NOT_POSITIVE":       "Цена должна быть больше нуля",
		"Price.hint":               "Укажите цену без налога, например 12.50",
	}),
	worker.Messages("zh", map[string]string{
		"BRAND_UNKNOWN":            "品牌“{brand}”不存在",
		"BRAND_UNKNOWN.hint":       "已知品牌：{brands}",
		"BRAND_UNKNOWN.title":      "未知品牌",
		"PRICE_NOT_POSITIVE.title": "价格无效",
		"PRICE_NOT_POSITIVE":       "价格必须大于零",
		"Price.hint":               "请输入不含税价格，例如 12.50",
	}),
	worker.Messages("vi", map[string]string{
		"BRAND_UNKNOWN":            "Không có thương hiệu “{brand}”",
		"BRAND_UNKNOWN.hint":       "Các thương hiệu: {brands}",
		"BRAND_UNKNOWN.title":      "Thương hiệu không xác định",
		"PRICE_NOT_POSITIVE.title": "Giá không hợp lệ",
		"PRICE_NOT_POSITIVE":       "Giá phải lớn hơn 0",
		"Price.hint":               "Nhập giá chưa gồm thuế, ví dụ 12.50",
	}),
}
